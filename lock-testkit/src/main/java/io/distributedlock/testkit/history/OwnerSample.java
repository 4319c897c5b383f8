package io.distributedlock.testkit.history;

import java.time.Duration;

/**
 * What a direct connection saw at a lock's key in Redis, at an instant between two others.
 *
 * @param key the lock's key, as in the events
 * @param begin before the question was sent, {@link System#nanoTime()}
 * @param end after the reply was read
 * @param owner the hash of the owner value; empty if nobody has the lock
 * @param remaining how long the lock would stay without a renewal; zero if nobody has it, a year if it has no expiry
 */
public record OwnerSample(String key, long begin, long end, String owner, Duration remaining) {
    /** Checks that the owner is a hash. */
    public OwnerSample {
        OwnerHash.require(owner);
    }
}
