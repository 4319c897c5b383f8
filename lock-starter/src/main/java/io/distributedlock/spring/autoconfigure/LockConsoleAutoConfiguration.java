package io.distributedlock.spring.autoconfigure;

import io.distributedlock.spring.actuate.LockConsoleEndpoint;
import io.distributedlock.spring.actuate.LocksEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The page on top of the endpoint for locks, where both are exposed. */
@AutoConfiguration(after = LocksEndpointAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(endpoint = LockConsoleEndpoint.class)
@ConditionalOnBean(LocksEndpoint.class)
public final class LockConsoleAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockConsoleEndpoint distributedLockConsole() {
        return new LockConsoleEndpoint();
    }
}
