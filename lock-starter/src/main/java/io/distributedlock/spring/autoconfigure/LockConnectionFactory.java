package io.distributedlock.spring.autoconfigure;

import io.distributedlock.redis.ConnectionSafety;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/** Makes the quicker kind of client that locks can do with, for the address that a factory has put together from its configuration. */
final class LockConnectionFactory extends LettuceConnectionFactory {

    /** The field of a client that has its address, which no getter tells. */
    static final String ADDRESS = "redisURI";

    private final ConnectionSafety safety;

    LockConnectionFactory(RedisConfiguration target, LettuceClientConfiguration settings, ConnectionSafety safety) {
        super(target, settings);
        this.safety = safety;
    }

    /** The usual client is dropped before it has opened anything. It is taken where the driver hides its address better. */
    @Override
    protected AbstractRedisClient createClient() {
        AbstractRedisClient usual = super.createClient();
        RedisURI address = usual instanceof RedisClient single ? address(single) : null;
        if (address == null) {
            return usual;
        }
        RedisClient quick = safety.client(usual.getResources(), address);
        quick.setOptions(usual.getOptions());
        return quick;
    }

    private static @Nullable RedisURI address(RedisClient client) {
        Field field = ReflectionUtils.findField(RedisClient.class, ADDRESS, RedisURI.class);
        if (field == null) {
            return null;
        }
        ReflectionUtils.makeAccessible(field);
        return (RedisURI) ReflectionUtils.getField(field, client);
    }
}
