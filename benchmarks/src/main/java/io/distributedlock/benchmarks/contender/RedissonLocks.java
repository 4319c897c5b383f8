package io.distributedlock.benchmarks.contender;

import io.distributedlock.benchmarks.contender.Answer.Claim;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's RLock. A ttl is its lease time; a renewed lock is one without, kept by its watchdog. */
final class RedissonLocks implements Locks {

    private static final long BY_WATCHDOG = -1;

    private final RedissonClient client;
    private final long leaseMillis;

    RedissonLocks(int port, Terms terms) {
        Config config = new Config();
        config.useSingleServer()
                .setAddress("redis://127.0.0.1:" + port)
                .setTimeout(Math.toIntExact(terms.commandTimeout().toMillis()));
        if (terms.renewed()) {
            config.setLockWatchdogTimeout(terms.lease().toMillis());
        }
        this.leaseMillis = terms.renewed() ? BY_WATCHDOG : terms.lease().toMillis();
        this.client = Redisson.create(config);
    }

    @Override
    public Answer acquire(String key, Duration wait) {
        try {
            boolean granted = client.getLock(key).tryLock(wait.toMillis(), leaseMillis, TimeUnit.MILLISECONDS);
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
            client.getLock(key).unlock();
            return new Answer(Claim.RELEASED, "returned");
        } catch (IllegalMonitorStateException notHeld) {
            return new Answer(Claim.LOST, notHeld.getClass().getSimpleName());
        } catch (RuntimeException failure) {
            return Answer.failed(failure);
        }
    }

    @Override
    public String redisKey(String key) {
        return key;
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
