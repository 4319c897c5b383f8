package io.distributedlock.spring.autoconfigure.properties;

import io.distributedlock.spring.LockConfigurationException;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The actuator's endpoint for locks.
 *
 * @param maxEntries How many locks and how many waiting requests the endpoint 'locks' lists at most.
 * @param forcedRelease Whether the endpoint 'locks' has an operation that takes a lock away from its holder.
 */
public record LocksEndpointProperties(
        @DefaultValue("100") int maxEntries,
        @DefaultValue("false") boolean forcedRelease) {

    static final String PREFIX = "distributed-lock.endpoint";

    public LocksEndpointProperties {
        if (maxEntries < 1) {
            throw new LockConfigurationException(
                    PREFIX + ".max-entries is " + maxEntries + ", but it must be at least 1",
                    "Use a number of locks that a person can read, for example 100");
        }
    }
}
