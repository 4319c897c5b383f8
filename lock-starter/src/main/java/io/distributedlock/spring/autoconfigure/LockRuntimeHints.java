package io.distributedlock.spring.autoconfigure;

import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.DistributedLocks;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image has to keep although no code names it: the scripts, the console and the annotation. */
final class LockRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("io/distributedlock/redis/script/*.lua");
        hints.resources().registerPattern("io/distributedlock/spring/actuate/console/*");
        hints.reflection().registerType(DistributedLock.class).registerType(DistributedLocks.class);
    }
}
