package io.distributedlock.redis;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Lock connections on a clock of their own. */
public final class TimedConnections {

    private TimedConnections() {}

    public static RedisLockConnection of(RedisClientSource source, Duration commandTimeout, LongSupplier nanoTime) {
        return new RedisLockConnection(source, commandTimeout, nanoTime);
    }
}
