package io.distributedlock.benchmarks.peer;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import io.distributedlock.benchmarks.contender.SpringRedis;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** lock4j's LockTemplate over a RedisTemplate. Not renewed: its renewal starts a thread for each lock. */
final class Lock4jPeer implements PeerClient {

    private final LettuceConnectionFactory connections;
    private final LockTemplate template = new LockTemplate();

    Lock4jPeer(int port) {
        this.connections = SpringRedis.connect(port, Lease.TERMS);
        Lock4jProperties properties = new Lock4jProperties();
        template.setProperties(properties);
        template.setExecutors(List.of(new RedisTemplateLockExecutor(new StringRedisTemplate(connections), properties)));
        try {
            template.afterPropertiesSet();
        } catch (Exception rejected) {
            throw new IllegalStateException("lock4j does not accept its set-up: " + rejected.getMessage(), rejected);
        }
    }

    @Override
    public @Nullable Hold acquire(String key, Duration wait) {
        LockInfo lock = template.lock(key, Lease.LENGTH.toMillis(), wait.toMillis());
        return lock == null ? null : () -> release(lock);
    }

    private void release(LockInfo lock) {
        if (!template.releaseLock(lock)) {
            throw new IllegalStateException("releaseLock returned false");
        }
    }

    @Override
    public void close() {
        connections.destroy();
    }
}
