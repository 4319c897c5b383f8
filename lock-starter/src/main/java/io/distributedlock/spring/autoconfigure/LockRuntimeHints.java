package io.distributedlock.spring.autoconfigure;

import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.DistributedLocks;
import io.lettuce.core.RedisClient;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/**
 * What a native image has to keep although no code names it: the scripts, the annotation, and the fields that tell where a factory and a client lead
 * to.
 */
final class LockRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("io/distributedlock/redis/*.lua");
        hints.reflection().registerType(DistributedLock.class).registerType(DistributedLocks.class);
        keepField(hints, LettuceConnectionFactory.class, RedisTarget.CONFIGURATION);
        keepField(hints, RedisClient.class, LockConnectionFactory.ADDRESS);
    }

    private static void keepField(RuntimeHints hints, Class<?> type, String name) {
        Field field = ReflectionUtils.findField(type, name);
        if (field != null) {
            hints.reflection().registerField(field);
        }
    }
}
