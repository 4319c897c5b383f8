package io.distributedlock.spring.autoconfigure;

import io.distributedlock.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import io.distributedlock.spring.web.LockExceptionHandler;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ProblemDetail;

/** Answers for web requests whose lock could not be had. */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnClass(ProblemDetail.class)
@ConditionalOnSwitch({"distributed-lock.enabled", "distributed-lock.web.problem-details"})
@EnableConfigurationProperties(DistributedLockProperties.class)
public final class LockWebAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockExceptionHandler distributedLockExceptionHandler(DistributedLockProperties properties) {
        return new LockExceptionHandler(properties.web().holder());
    }
}
