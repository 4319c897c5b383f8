package io.distributedlock.benchmarks.peer;

import io.distributedlock.benchmarks.contender.SpringRedis;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring Integration's RedisLockRegistry; it renews its locks, as this library does. */
final class RegistryPeer implements PeerClient {

    private static final int RENEWAL_THREADS = 4;

    private final ThreadPoolTaskScheduler renewals = new ThreadPoolTaskScheduler();
    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;

    RegistryPeer(int port, RedisLockType type) {
        this.connections = SpringRedis.connect(port, Lease.TERMS);
        this.registry = new RedisLockRegistry(connections, type.name(), Lease.LENGTH);
        registry.setRedisLockType(type);
        renewals.setPoolSize(RENEWAL_THREADS);
        renewals.initialize();
        registry.setRenewalTaskScheduler(renewals);
    }

    @Override
    public @Nullable Hold acquire(String key, Duration wait) {
        Lock lock = registry.obtain(key);
        return Patience.granted(() -> lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)) ? lock::unlock : null;
    }

    @Override
    public void close() {
        registry.destroy();
        renewals.shutdown();
        connections.destroy();
    }
}
