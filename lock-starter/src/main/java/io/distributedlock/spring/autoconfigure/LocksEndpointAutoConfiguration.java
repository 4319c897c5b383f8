package io.distributedlock.spring.autoconfigure;

import io.distributedlock.LockClient;
import io.distributedlock.LockMonitor;
import io.distributedlock.spring.actuate.LockIncidents;
import io.distributedlock.spring.actuate.LocksEndpoint;
import io.distributedlock.spring.actuate.ReleasingLocksEndpoint;
import io.distributedlock.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
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
@ConditionalOnSwitch("distributed-lock.enabled")
@EnableConfigurationProperties(DistributedLockProperties.class)
public final class LocksEndpointAutoConfiguration {

    /** A listener of the client. */
    @Bean
    @ConditionalOnMissingBean
    LockIncidents distributedLockIncidents() {
        return new LockIncidents();
    }

    /** Without the permission there is no such operation, rather than one that refuses. */
    @Bean
    @ConditionalOnMissingBean
    LocksEndpoint distributedLockEndpoint(
            LockClient distributedLockClient,
            LockIncidents distributedLockIncidents,
            DistributedLockProperties properties,
            ObjectProvider<ApplicationEventPublisher> events) {
        LockMonitor monitor = distributedLockClient.monitor();
        int maxEntries = properties.endpoint().maxEntries();
        return properties.endpoint().forcedRelease()
                ? new ReleasingLocksEndpoint(monitor, distributedLockIncidents, maxEntries, events.getObject())
                : new LocksEndpoint(monitor, distributedLockIncidents, maxEntries);
    }
}
