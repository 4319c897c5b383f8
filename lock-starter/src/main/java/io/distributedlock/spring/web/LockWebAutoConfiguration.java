package io.distributedlock.spring.web;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ProblemDetail;

/** Answers for web requests whose lock could not be had. */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnClass(ProblemDetail.class)
@ConditionalOnBooleanProperty(
        name = {"distributed-lock.enabled", "distributed-lock.web.problem-details"},
        matchIfMissing = true)
public final class LockWebAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockExceptionHandler distributedLockExceptionHandler() {
        return new LockExceptionHandler();
    }
}
