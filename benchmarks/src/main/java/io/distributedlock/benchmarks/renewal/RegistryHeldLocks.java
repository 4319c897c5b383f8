package io.distributedlock.benchmarks.renewal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Spring Integration's RedisLockRegistry with a scheduler for renewals; its default of one thread would be too slow for
 * so many.
 */
final class RegistryHeldLocks implements HeldLocks {

    private static final int THREADS = 4;
    private static final int MAX_LOCKS = 1_000_000;

    private final List<Lock> held = new ArrayList<>();
    private final ThreadPoolTaskScheduler renewals = new ThreadPoolTaskScheduler();
    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;

    RegistryHeldLocks(int port) {
        connections = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration("127.0.0.1", port),
                LettuceClientConfiguration.builder()
                        .commandTimeout(COMMAND_TIMEOUT)
                        .build());
        connections.afterPropertiesSet();
        connections.start();
        registry = new RedisLockRegistry(connections, "registry", LEASE);
        registry.setCacheCapacity(MAX_LOCKS);
        renewals.setPoolSize(THREADS);
        renewals.initialize();
        registry.setRenewalTaskScheduler(renewals);
    }

    @Override
    public void take(String name, int count) {
        for (int i = 0; i < count; i++) {
            Lock lock = registry.obtain(name + i);
            if (!lock.tryLock()) {
                throw new IllegalStateException(name + i + " was not granted");
            }
            held.add(lock);
        }
    }

    @Override
    public void release() {
        held.forEach(Lock::unlock);
        held.clear();
    }

    @Override
    public void close() {
        registry.destroy();
        renewals.shutdown();
        connections.destroy();
    }
}
