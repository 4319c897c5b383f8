package io.distributedlock.spring.autoconfigure;

import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.DistributedLocks;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/** What a native image has to keep although no code names it: the scripts, the annotation, and the field that tells where a factory leads to. */
final class LockRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("io/distributedlock/redis/*.lua");
        hints.reflection().registerType(DistributedLock.class).registerType(DistributedLocks.class);
        Field configuration = ReflectionUtils.findField(LettuceConnectionFactory.class, RedisTarget.CONFIGURATION);
        if (configuration != null) {
            hints.reflection().registerField(configuration);
        }
    }
}
