package io.distributedlock.spring.autoconfigure;

import io.distributedlock.ReleasePolicy;
import io.distributedlock.spring.autoconfigure.properties.ConditionalOnSwitch;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import io.distributedlock.spring.transaction.CommitGuard;
import io.distributedlock.spring.transaction.TransactionReleasePolicy;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.transaction.ConfigurableTransactionManager;

/** What keeps locks and transactions in step, where there are transactions. */
@AutoConfiguration(after = DistributedLockAutoConfiguration.class)
@ConditionalOnClass(ConfigurableTransactionManager.class)
@ConditionalOnSwitch("distributed-lock.enabled")
public final class LockTransactionAutoConfiguration {

    private static final String COMMIT_GUARD = "distributed-lock.transaction.commit-guard";

    @Bean
    @ConditionalOnMissingBean(ReleasePolicy.class)
    TransactionReleasePolicy distributedLockReleasePolicy(
            DistributedLockProperties properties, ObjectProvider<CommitGuard> distributedLockCommitGuard) {
        return new TransactionReleasePolicy(
                properties.transaction().nestedLock(), distributedLockCommitGuard.getIfAvailable());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AdviceOrderCheck distributedLockAdviceOrderCheck(ObjectProvider<DistributedLockProperties> properties) {
        return new AdviceOrderCheck(properties);
    }

    /** No commit without the lock. */
    @Bean
    @ConditionalOnSwitch(COMMIT_GUARD)
    @ConditionalOnMissingBean
    CommitGuard distributedLockCommitGuard(DistributedLockProperties properties) {
        return new CommitGuard(properties.transaction().commitMargin());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnSwitch(COMMIT_GUARD)
    static CommitGuardInstallation distributedLockCommitGuardInstallation(
            ObjectProvider<CommitGuard> distributedLockCommitGuard) {
        return new CommitGuardInstallation(distributedLockCommitGuard);
    }
}
