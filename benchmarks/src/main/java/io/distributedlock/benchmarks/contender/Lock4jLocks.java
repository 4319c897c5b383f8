package io.distributedlock.benchmarks.contender;

import com.baomidou.lock.LockInfo;
import com.baomidou.lock.LockTemplate;
import com.baomidou.lock.executor.RedisTemplateLockExecutor;
import com.baomidou.lock.spring.boot.autoconfigure.Lock4jProperties;
import io.distributedlock.benchmarks.contender.Answer.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** lock4j's LockTemplate over a RedisTemplate, put together as its auto-configuration does. */
final class Lock4jLocks implements Locks {

    private static final long RENEWED = -1;

    private final Map<String, LockInfo> held = new ConcurrentHashMap<>();
    private final LettuceConnectionFactory connections;
    private final LockTemplate template = new LockTemplate();
    private final long expireMillis;

    Lock4jLocks(int port, Terms terms) {
        this.connections = SpringRedis.connect(port, terms);
        Lock4jProperties properties = new Lock4jProperties();
        if (terms.renewed()) {
            properties.setExpire(terms.lease().toMillis());
        }
        this.expireMillis = terms.renewed() ? RENEWED : terms.lease().toMillis();
        template.setProperties(properties);
        template.setExecutors(List.of(new RedisTemplateLockExecutor(new StringRedisTemplate(connections), properties)));
        try {
            template.afterPropertiesSet();
        } catch (Exception rejected) {
            throw new IllegalStateException("lock4j does not accept its set-up: " + rejected.getMessage(), rejected);
        }
    }

    @Override
    public Answer acquire(String key, Duration wait) {
        try {
            LockInfo lock = template.lock(key, expireMillis, wait.toMillis());
            if (lock == null) {
                return new Answer(Claim.HELD_BY_OTHER, "null");
            }
            held.put(key, lock);
            return new Answer(Claim.GRANTED, "a LockInfo");
        } catch (RuntimeException failure) {
            return Answer.failed(failure);
        }
    }

    @Override
    public Answer release(String key) {
        try {
            boolean released = template.releaseLock(held.remove(key));
            return new Answer(released ? Claim.RELEASED : Claim.LOST, String.valueOf(released));
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
        connections.destroy();
    }
}
