package io.distributedlock.spring.autoconfigure;

import io.distributedlock.LockClient;
import io.distributedlock.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import io.distributedlock.spring.metrics.LockMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/** The meters of the lock client, where there is a registry for them. */
@AutoConfiguration(
        after = DistributedLockAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, LockClient.class})
@ConditionalOnSwitch("distributed-lock.enabled")
@EnableConfigurationProperties(DistributedLockProperties.class)
public final class LockMetricsAutoConfiguration {

    /** A listener of the client, so the client can't be there yet. */
    @Bean
    @ConditionalOnMissingBean
    LockMetrics distributedLockMetrics(ObjectProvider<LockClient> client, DistributedLockProperties properties) {
        return new LockMetrics(
                SingletonSupplier.of(client::getObject), properties.metrics().maxNames());
    }
}
