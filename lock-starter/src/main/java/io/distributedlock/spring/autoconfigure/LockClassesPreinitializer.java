package io.distributedlock.spring.autoconfigure;

import io.distributedlock.LockClient;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spring.DistributedLockAdvisor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;

/**
 * Has another processor load the classes that the start of an application with locks needs, while the application still reads its settings.
 *
 * <p>They are loaded and verified, but none is initialized: two threads that initialize classes can wait for each other for ever. Spring Boot 3 does
 * not know of this. The system property {@code distributed-lock.enabled=false} makes it do nothing; settings in files are not known yet.
 */
final class LockClassesPreinitializer implements BackgroundPreinitializer {

    private static final String OURS = "io.distributedlock.";

    private final Set<Class<?>> seen = new HashSet<>();

    @Override
    public void preinitialize() {
        if (!"false".equals(System.getProperty(DistributedLockProperties.PREFIX + ".enabled"))) {
            roots().forEach(this::load);
        }
    }

    /** What Spring and this starter make beans of. They lead to almost all others. */
    private static List<Class<?>> roots() {
        return List.of(
                DistributedLockAutoConfiguration.class,
                DistributedLockAspectAutoConfiguration.class,
                LockTransactionAutoConfiguration.class,
                LockMetricsAutoConfiguration.class,
                LockObservationAutoConfiguration.class,
                LocksEndpointAutoConfiguration.class,
                LockHealthAutoConfiguration.class,
                LockReactiveAutoConfiguration.class,
                DistributedLockProperties.class,
                SettingRules.class,
                Presets.class,
                NamedPolicies.class,
                ApplicationRedisClients.class,
                RedisTarget.class,
                RedisLockStore.class,
                LockClient.class,
                DistributedLockAdvisor.class);
    }

    /** To look at its methods has a class verified. */
    private void load(Class<?> type) {
        if (type.getName().startsWith(OURS) && seen.add(type)) {
            try {
                for (Method method : type.getDeclaredMethods()) {
                    load(method.getReturnType());
                }
                for (Field field : type.getDeclaredFields()) {
                    load(field.getType());
                }
                for (Class<?> part : type.getDeclaredClasses()) {
                    load(part);
                }
            } catch (LinkageError absent) {
                // A library that the application does not have: what needs it will not be needed either.
            }
        }
    }
}
