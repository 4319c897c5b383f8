package io.distributedlock.spring.boot3;

import io.distributedlock.LockClient;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** The health of locks in Spring Boot 3. In Spring Boot 4 its conditions find nothing. */
@AutoConfiguration(afterName = "io.distributedlock.spring.autoconfigure.DistributedLockAutoConfiguration")
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(LockClient.class)
@ConditionalOnEnabledHealthIndicator("distributed-lock")
@ConditionalOnProperty(name = "distributed-lock.enabled", matchIfMissing = true)
public final class Boot3LockHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "distributedLockHealthIndicator")
    Boot3LockHealthIndicator distributedLockHealthIndicator(LockClient client) {
        return new Boot3LockHealthIndicator(client.monitor());
    }
}
