package io.distributedlock.spring.autoconfigure;

import io.distributedlock.LockClient;
import io.distributedlock.LockObserver;
import io.distributedlock.reactive.ReactiveLockTemplate;
import io.distributedlock.spring.autoconfigure.properties.ConditionalOnSwitch;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import reactor.core.publisher.Flux;

/** The template for publishers, where there is Reactor; annotated methods that return publishers use it. */
@AutoConfiguration(after = DistributedLockAutoConfiguration.class)
@ConditionalOnClass(Flux.class)
@ConditionalOnBean(LockClient.class)
@ConditionalOnSwitch("distributed-lock.enabled")
public final class LockReactiveAutoConfiguration {

    @Lazy
    @Bean
    @ConditionalOnMissingBean
    ReactiveLockTemplate distributedLockReactiveTemplate(
            LockClient distributedLockClient, ObjectProvider<LockObserver> observer) {
        return new ReactiveLockTemplate(distributedLockClient, observer.getIfAvailable(() -> LockObserver.NONE));
    }
}
