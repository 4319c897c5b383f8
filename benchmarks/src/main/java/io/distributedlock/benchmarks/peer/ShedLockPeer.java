package io.distributedlock.benchmarks.peer;

import io.distributedlock.benchmarks.contender.SpringRedis;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** ShedLock's provider for Redis. It never waits, and releases by an unconditional DEL by default. */
final class ShedLockPeer implements PeerClient {

    private final LettuceConnectionFactory connections;
    private final RedisLockProvider provider;

    ShedLockPeer(int port) {
        this.connections = SpringRedis.connect(port, Lease.TERMS);
        this.provider = new RedisLockProvider.Builder(connections).build();
    }

    @Override
    public @Nullable Hold acquire(String key, Duration wait) {
        SimpleLock lock = provider.lock(new LockConfiguration(Instant.now(), key, Lease.LENGTH, Duration.ZERO))
                .orElse(null);
        return lock == null ? null : lock::unlock;
    }

    @Override
    public void close() {
        connections.destroy();
    }
}
