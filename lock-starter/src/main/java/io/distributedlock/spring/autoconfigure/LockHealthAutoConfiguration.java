package io.distributedlock.spring.autoconfigure;

import io.distributedlock.LockClient;
import io.distributedlock.spring.actuate.LockHealthIndicator;
import io.distributedlock.spring.autoconfigure.properties.ConditionalOnSwitch;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * The health of locks in Spring Boot 4; in Spring Boot 3, where health has another package, a module of its own has it.
 */
@AutoConfiguration(after = DistributedLockAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(LockClient.class)
@ConditionalOnEnabledHealthIndicator("distributed-lock")
@ConditionalOnSwitch("distributed-lock.enabled")
public final class LockHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "distributedLockHealthIndicator")
    LockHealthIndicator distributedLockHealthIndicator(LockClient distributedLockClient) {
        return new LockHealthIndicator(distributedLockClient.monitor());
    }
}
