package io.distributedlock.benchmarks.peer;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The ceiling inside one process: fair locks of the JDK, no Redis at all. */
final class LocalLocks implements PeerClient {

    private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

    @Override
    public @Nullable Hold acquire(String key, Duration wait) {
        ReentrantLock lock = locks.computeIfAbsent(key, id -> new ReentrantLock(true));
        return Patience.granted(() -> lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS)) ? lock::unlock : null;
    }

    @Override
    public void close() {}
}
