package io.distributedlock.spring.autoconfigure;

import io.distributedlock.LockObserver;
import io.distributedlock.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import io.distributedlock.spring.metrics.LockObservations;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** An observation for each call under a lock, where there is a registry for observations and no other observer. */
@AutoConfiguration(
        after = DistributedLockAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
        })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
@ConditionalOnSwitch("distributed-lock.enabled")
@EnableConfigurationProperties(DistributedLockProperties.class)
public final class LockObservationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(LockObserver.class)
    LockObservations distributedLockObservations(ObservationRegistry registry, DistributedLockProperties properties) {
        return new LockObservations(
                registry,
                properties.metrics().keyInObservations(),
                properties.metrics().maxNames());
    }
}
