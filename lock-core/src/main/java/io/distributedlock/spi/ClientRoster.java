package io.distributedlock.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Where each client of a store leaves a line about itself, so that others can say who holds a lock; and for each lock
 * name the lines that clients have written about what went wrong. For people alone: nothing that locks depends on it.
 */
public interface ClientRoster {

    /** Writes a client's line in place of its last one. It is gone by itself after {@code life}. */
    CompletionStage<?> publish(String client, String line, Duration life);

    /** Removes a client's line. */
    CompletionStage<?> withdraw(String client);

    /** A client's line; empty if there is none, or none any more. */
    CompletionStage<Optional<Entry>> look(String client);

    /**
     * Writes a line in front of those about a lock name. A store that keeps none ignores it.
     *
     * @param name encoded, as in {@link Claim#id()}
     * @param kept how many of them are kept, the latest ones
     * @param life all of them are gone by themselves so long after the last one was written
     */
    default CompletionStage<?> record(String name, String line, int kept, Duration life) {
        return CompletableFuture.completedFuture(null);
    }

    /** The lines about a lock name, the latest one first. */
    default CompletionStage<List<String>> records(String name) {
        return CompletableFuture.completedFuture(List.of());
    }

    /**
     * The line of a client.
     *
     * @param left when it is gone unless it is written again
     */
    record Entry(String line, Duration left) {}
}
