package io.distributedlock.spring.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Application contexts with as little as possible in them. */
public final class Contexts {

    private Contexts() {}

    /** Ours alone. */
    public static ApplicationContextRunner ours() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DistributedLockAutoConfiguration.class,
                        DistributedLockAspectAutoConfiguration.class,
                        LockTransactionAutoConfiguration.class))
                .withPropertyValues("distributed-lock.shutdown.drain-time=0s");
    }

    /** Ours, beside Boot's connection to a Redis that no caller calls. */
    public static ApplicationContextRunner withRedis() {
        return ours().withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.port=1");
    }

    public static ApplicationContextRunner withMemory() {
        return ours().withPropertyValues("distributed-lock.store=memory");
    }
}
