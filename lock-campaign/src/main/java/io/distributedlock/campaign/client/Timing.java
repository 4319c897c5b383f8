package io.distributedlock.campaign.client;

import java.time.Duration;

/**
 * How quick a client is.
 *
 * @param commandTimeout how long the answer to one command is waited for
 * @param ttl the lease of renewed locks
 */
public record Timing(Duration commandTimeout, Duration ttl) {

    public static Timing ofMillis(long commandTimeout, long ttl) {
        return new Timing(Duration.ofMillis(commandTimeout), Duration.ofMillis(ttl));
    }
}
