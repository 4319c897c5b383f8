package io.distributedlock.benchmarks.contender;

import io.distributedlock.benchmarks.contender.Answer.Claim;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** Spring Integration's RedisLockRegistry with its default spin locks. Locks are renewed if it is given a scheduler. */
final class RegistryLocks implements Locks {

    private static final String REGISTRY_KEY = "registry";

    private final ThreadPoolTaskScheduler renewals = new ThreadPoolTaskScheduler();
    private final LettuceConnectionFactory connections;
    private final RedisLockRegistry registry;

    RegistryLocks(int port, Terms terms) {
        this.connections = SpringRedis.connect(port, terms);
        this.registry = new RedisLockRegistry(connections, REGISTRY_KEY, terms.lease());
        if (terms.renewed()) {
            renewals.initialize();
            registry.setRenewalTaskScheduler(renewals);
        }
    }

    @Override
    public Answer acquire(String key, Duration wait) {
        try {
            boolean granted = registry.obtain(key).tryLock(wait.toMillis(), TimeUnit.MILLISECONDS);
            return new Answer(granted ? Claim.GRANTED : Claim.HELD_BY_OTHER, String.valueOf(granted));
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return Answer.failed(interrupt);
        } catch (RuntimeException failure) {
            return Answer.failed(failure);
        }
    }

    @Override
    public Answer release(String key) {
        try {
            registry.obtain(key).unlock();
            return new Answer(Claim.RELEASED, "returned");
        } catch (ConcurrentModificationException expired) {
            return new Answer(Claim.LOST, expired.getClass().getSimpleName());
        } catch (RuntimeException failure) {
            return Answer.failed(failure);
        }
    }

    @Override
    public String redisKey(String key) {
        return REGISTRY_KEY + ":" + key;
    }

    @Override
    public void close() {
        registry.destroy();
        renewals.shutdown();
        connections.destroy();
    }
}
