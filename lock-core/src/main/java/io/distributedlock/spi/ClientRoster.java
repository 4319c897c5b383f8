package io.distributedlock.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A store in which each client leaves a line about itself, so that others can say who holds a lock. For people alone:
 * nothing that locks depends on it.
 */
public interface ClientRoster {

    /** Writes a client's line in place of its last one. It is gone by itself after {@code life}. */
    CompletionStage<?> publish(String client, String line, Duration life);

    /** Removes a client's line. */
    CompletionStage<?> withdraw(String client);

    /** A client's line; empty if there is none, or none any more. */
    CompletionStage<Optional<Entry>> look(String client);

    /**
     * The line of a client.
     *
     * @param left when it is gone unless it is written again
     */
    record Entry(String line, Duration left) {}
}
