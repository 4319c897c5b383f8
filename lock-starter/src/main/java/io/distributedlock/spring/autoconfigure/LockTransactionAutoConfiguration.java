package io.distributedlock.spring.autoconfigure;

import io.distributedlock.ReleasePolicy;
import io.distributedlock.spring.transaction.CommitGuard;
import io.distributedlock.spring.transaction.TransactionReleasePolicy;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.ConfigurableTransactionManager;

/** What keeps locks and transactions in step, where there are transactions. */
@AutoConfiguration(after = DistributedLockAutoConfiguration.class)
@ConditionalOnClass(ConfigurableTransactionManager.class)
@ConditionalOnBooleanProperty(name = "distributed-lock.enabled", matchIfMissing = true)
final class LockTransactionAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(ReleasePolicy.class)
    TransactionReleasePolicy distributedLockReleasePolicy(
            DistributedLockProperties properties, ObjectProvider<CommitGuard> guard) {
        return new TransactionReleasePolicy(properties.transaction().inside(), guard.getIfAvailable());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AdviceOrderCheck distributedLockAdviceOrderCheck(ObjectProvider<DistributedLockProperties> properties) {
        return new AdviceOrderCheck(() -> properties.getObject().transaction().inside());
    }

    /** No commit without the lock. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "distributed-lock.transaction.commit-guard", matchIfMissing = true)
    static final class CommitGuardConfiguration {

        @Bean
        @ConditionalOnMissingBean
        CommitGuard distributedLockCommitGuard(DistributedLockProperties properties) {
            return new CommitGuard(properties.transaction().commitMargin());
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static CommitGuardInstallation distributedLockCommitGuardInstallation(
                ConfigurableListableBeanFactory beans, ObjectProvider<CommitGuard> guard) {
            return new CommitGuardInstallation(beans, guard::getObject);
        }
    }
}
