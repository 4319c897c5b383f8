package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedlock.LockTemplate;
import io.distributedlock.ReleasePolicy;
import io.distributedlock.spring.transaction.CommitGuard;
import io.distributedlock.spring.transaction.TransactionReleasePolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

class LockTransactionAutoConfigurationTests {

    private final ApplicationContextRunner runner = Contexts.withMemory();

    private static DataSourceTransactionManager manager() {
        return new DataSourceTransactionManager(new DriverManagerDataSource());
    }

    @Configuration(proxyBeanMethods = false)
    static class Managers {

        @Bean
        static DataSourceTransactionManager plain() {
            return manager();
        }

        @Bean
        @Lazy
        static DataSourceTransactionManager lazy() {
            return manager();
        }

        @Bean
        static DataSourceTransactionManager withListenersThatCanNotBeAddedTo() {
            DataSourceTransactionManager manager = manager();
            manager.setTransactionExecutionListeners(List.of(new TransactionExecutionListener() {}));
            return manager;
        }
    }

    /** Needs its transaction manager before the guard's own post-processor can have seen it. */
    record EarlyUser(DataSourceTransactionManager early) implements BeanPostProcessor {}

    private static long guards(AssertableApplicationContext context, String manager) {
        return context
                .getBean(manager, ConfigurableTransactionManager.class)
                .getTransactionExecutionListeners()
                .stream()
                .filter(CommitGuard.class::isInstance)
                .count();
    }

    @Test
    void everyTransactionManagerIsGuardedOnce() {
        runner.withUserConfiguration(Managers.class).run(context -> {
            assertThat(guards(context, "plain")).isOne();
            assertThat(guards(context, "lazy")).isOne();
            assertThat(guards(context, "withListenersThatCanNotBeAddedTo")).isOne();
        });
    }

    @Test
    void aTransactionManagerThatIsCreatedEarlyIsGuardedToo() {
        runner.withBean("early", DataSourceTransactionManager.class, LockTransactionAutoConfigurationTests::manager)
                .withBean(EarlyUser.class)
                .run(context -> assertThat(guards(context, "early")).isOne());
    }

    @Test
    void theGuardCanBeSwitchedOff() {
        runner.withUserConfiguration(Managers.class)
                .withPropertyValues("distributed-lock.transaction.commit-guard=false")
                .run(context -> {
                    assertThat(context)
                            .doesNotHaveBean(CommitGuard.class)
                            .hasSingleBean(TransactionReleasePolicy.class);
                    assertThat(guards(context, "plain")).isZero();
                });
    }

    @Test
    void aGuardOfTheApplicationReplacesOurs() {
        CommitGuard own = new CommitGuard(Duration.ofSeconds(1));
        runner.withUserConfiguration(Managers.class)
                .withBean("own", CommitGuard.class, () -> own)
                .run(context -> {
                    assertThat(context.getBean(CommitGuard.class)).isSameAs(own);
                    assertThat(context.getBean("plain", ConfigurableTransactionManager.class)
                                    .getTransactionExecutionListeners())
                            .containsExactly(own);
                });
    }

    @Test
    void aReleasePolicyOfTheApplicationReplacesOurs() {
        runner.withBean("own", ReleasePolicy.class, () -> request -> {
                    throw new IllegalStateException("own policy");
                })
                .run(context -> {
                    assertThat(context).doesNotHaveBean(TransactionReleasePolicy.class);
                    assertThat(catchThrowable(
                                    () -> context.getBean(LockTemplate.class).run("42", lock -> {})))
                            .hasMessage("own policy");
                });
    }

    @Test
    void anApplicationWithoutTransactionsNeedsNoneOfTheirClasses() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.transaction"))
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(ReleasePolicy.class);
                    context.getBean(LockTemplate.class)
                            .run("42", lock -> assertThat(lock.isHeld()).isTrue());
                });
    }
}
