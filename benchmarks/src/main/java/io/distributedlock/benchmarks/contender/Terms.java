package io.distributedlock.benchmarks.contender;

import java.time.Duration;

/**
 * How a client holds its locks.
 *
 * @param commandTimeout how long it waits for the reply to one command
 * @param lease how long a lock is held at most, or, if it is renewed, how long each renewal lasts
 */
public record Terms(Duration commandTimeout, Duration lease, boolean renewed) {

    public static Terms fixed(Duration commandTimeout, Duration ttl) {
        return new Terms(commandTimeout, ttl, false);
    }

    public static Terms renewed(Duration commandTimeout, Duration lease) {
        return new Terms(commandTimeout, lease, true);
    }
}
