package com.example.shop.demo;

import io.distributedlock.LockHandle;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/** Looks at a lock from outside, with the application's own Redis client, as one would with redis-cli. */
@Component
class LockProbe {

    private final StringRedisTemplate redis;
    private final String prefix;

    LockProbe(
            StringRedisTemplate redis,
            @Value("${distributed-lock.key-prefix:lock:${spring.application.name}}") String prefix) {
        this.redis = redis;
        this.prefix = prefix;
    }

    /**
     * The lock's key in Redis; name and key of the lock appear as they are unless they contain spaces, braces, colons
     * and the like.
     */
    String redisKey(LockHandle lock) {
        return prefix + ":{" + lock.name() + ":" + lock.key() + "}";
    }

    /** In how many milliseconds Redis would drop the lock unless it is renewed; empty if Redis doesn't answer. */
    OptionalLong pttl(LockHandle lock) {
        try {
            return OptionalLong.of(redis.getExpire(redisKey(lock), TimeUnit.MILLISECONDS));
        } catch (DataAccessException unreachable) {
            return OptionalLong.empty();
        }
    }
}
