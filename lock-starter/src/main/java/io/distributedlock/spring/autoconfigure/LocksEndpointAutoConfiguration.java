package io.distributedlock.spring.autoconfigure;

import io.distributedlock.LockClient;
import io.distributedlock.spring.actuate.LocksEndpoint;
import io.distributedlock.spring.actuate.ReleasingLocksEndpoint;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/** The actuator's endpoint for locks, where it is exposed. */
@AutoConfiguration(after = DistributedLockAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(endpoint = LocksEndpoint.class)
@ConditionalOnBean(LockClient.class)
@ConditionalOnBooleanProperty(name = "distributed-lock.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DistributedLockProperties.class)
public final class LocksEndpointAutoConfiguration {

    /** Without the permission there is no such operation, rather than one that refuses. */
    @Bean
    @ConditionalOnMissingBean
    LocksEndpoint distributedLockEndpoint(
            LockClient distributedLockClient,
            DistributedLockProperties properties,
            ObjectProvider<ApplicationEventPublisher> events) {
        return properties.endpoint().forcedRelease()
                ? new ReleasingLocksEndpoint(
                        distributedLockClient.monitor(), properties.endpoint().maxEntries(), events.getObject())
                : new LocksEndpoint(
                        distributedLockClient.monitor(), properties.endpoint().maxEntries());
    }
}
