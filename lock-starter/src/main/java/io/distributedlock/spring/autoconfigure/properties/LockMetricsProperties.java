package io.distributedlock.spring.autoconfigure.properties;

import io.distributedlock.spring.LockConfigurationException;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is said about locks in meters and observations.
 *
 * @param maxNames How many lock names get tags of their own in meters and observations; further ones share the tag
 *     '(others)'.
 * @param keyInObservations Whether observations carry the lock's key as a high-cardinality value. It may contain user
 *     data.
 */
public record LockMetricsProperties(
        @DefaultValue("100") int maxNames,
        @DefaultValue("false") boolean keyInObservations) {

    static final String PREFIX = "distributed-lock.metrics";

    public LockMetricsProperties {
        if (maxNames < 1) {
            throw new LockConfigurationException(
                    PREFIX + ".max-names is " + maxNames + ", but it must be at least 1",
                    "Use the number of lock names that the application has, or a little more");
        }
    }
}
