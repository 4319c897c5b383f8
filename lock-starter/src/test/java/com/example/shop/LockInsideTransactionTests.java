package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.example.shop.Accounts.Meanwhile;
import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class LockInsideTransactionTests {

    private static final String NOTICED = "Lock 'account' was requested inside an open transaction";

    private final Bank bank = new Bank();

    @AfterEach
    void close() {
        assertThat(LockContext.current()).isEmpty();
        bank.close();
    }

    private static TransactionTemplate transactions(ConfigurableApplicationContext application) {
        return new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
    }

    private static void deposit(Accounts accounts, int amount) {
        try {
            accounts.depositUnderTheLockAlone("7", amount);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theNextHolderReadsWhatTheTransactionHasCommitted() throws Exception {
        try (ConfigurableApplicationContext here = bank.open();
                ConfigurableApplicationContext there = bank.open()) {
            Accounts accounts = here.getBean(Accounts.class);
            FutureTask<Integer> next = new FutureTask<>(() -> {
                there.getBean(Accounts.class).deposit("7", 1, Meanwhile.NOTHING);
                return there.getBean(Accounts.class).balance("7");
            });
            transactions(here).executeWithoutResult(status -> {
                deposit(accounts, 100);
                assertThat(bank.isLocked("7")).isTrue();
                new Thread(next).start();
                assertThatThrownBy(() -> next.get(300, TimeUnit.MILLISECONDS)).isNotNull();
            });
            assertThat(next.get(60, TimeUnit.SECONDS)).isEqualTo(101);
            assertThat(bank.isLocked("7")).isFalse();
        }
    }

    @Test
    void theLockIsReleasedAfterARollbackToo() {
        try (ConfigurableApplicationContext here = bank.open()) {
            Accounts accounts = here.getBean(Accounts.class);
            transactions(here).executeWithoutResult(status -> {
                deposit(accounts, 100);
                status.setRollbackOnly();
            });
            assertThat(bank.isLocked("7")).isFalse();
            assertThat(accounts.balance("7")).isZero();
        }
    }

    @Test
    void theLockIsReleasedWhenTheOutcomeOfTheCommitIsUnknown() {
        try (ConfigurableApplicationContext here = bank.open()) {
            Accounts accounts = here.getBean(Accounts.class);
            TransactionTemplate broken =
                    new TransactionTemplate(new DataSourceTransactionManager(here.getBean(DataSource.class)) {
                        @Override
                        protected void doCommit(DefaultTransactionStatus status) {
                            throw new TransactionSystemException("no answer");
                        }
                    });
            assertThatThrownBy(() -> broken.executeWithoutResult(status -> deposit(accounts, 100)))
                    .hasMessage("no answer");
            assertThat(bank.isLocked("7")).isFalse();
        }
    }

    @Test
    void laterRequestsOfTheTransactionAreCovered() {
        try (ConfigurableApplicationContext here = bank.open()) {
            Accounts accounts = here.getBean(Accounts.class);
            transactions(here).executeWithoutResult(status -> {
                deposit(accounts, 100);
                LockHandle first = LockContext.find("account").orElseThrow();
                deposit(accounts, 10);
                LockHandle viaTemplate = here.getBean(LockTemplate.class)
                        .execute(LockRequest.of("account", "7").withWaitTime(Duration.ZERO), lock -> lock);
                assertThat(viaTemplate).isSameAs(first);
            });
            assertThat(accounts.balance("7")).isEqualTo(110);
        }
    }

    @Test
    void aTransactionThatSuspendsAnotherIsCoveredByItsLocksAndReleasesItsOwnFirst() {
        try (ConfigurableApplicationContext here = bank.open()) {
            LockTemplate template = here.getBean(LockTemplate.class);
            LockRequest account = LockRequest.of("account", "7").withWaitTime(Duration.ZERO);
            TransactionTemplate inner = transactions(here);
            inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            transactions(here).executeWithoutResult(outer -> {
                LockHandle held = template.execute(account, lock -> lock);
                inner.executeWithoutResult(status -> {
                    template.run(account, lock -> assertThat(lock).isSameAs(held));
                    template.run(LockRequest.of("account", "8"), lock -> {});
                    assertThat(bank.isLocked("8")).isTrue();
                });
                assertThat(bank.isLocked("8")).isFalse();
                assertThat(bank.isLocked("7")).isTrue();
            });
            assertThat(bank.isLocked("7")).isFalse();
        }
    }

    @Test
    void aLockThatIsLostBeforeTheCommitRollsBackWhateverTheManager() {
        try (ConfigurableApplicationContext here = bank.open()) {
            Accounts accounts = here.getBean(Accounts.class);
            TransactionTemplate unknown =
                    new TransactionTemplate(new DataSourceTransactionManager(here.getBean(DataSource.class)));
            LockLostException lost = catchThrowableOfType(
                    LockLostException.class,
                    () -> unknown.executeWithoutResult(status -> {
                        deposit(accounts, 100);
                        bank.deleteLock("7");
                        LockContext.find("account")
                                .orElseThrow()
                                .lost()
                                .toCompletableFuture()
                                .join();
                    }));
            assertThat(lost.lockKey()).isEqualTo("7");
            assertThat(accounts.balance("7")).isZero();
        }
    }

    @Test
    void aLossThatShowsOnlyAfterTheCommitIsLogged(CapturedOutput output) {
        try (ConfigurableApplicationContext here = bank.open()) {
            Accounts accounts = here.getBean(Accounts.class);
            transactions(here).executeWithoutResult(status -> {
                deposit(accounts, 100);
                bank.deleteLock("7");
            });
            assertThat(output)
                    .contains("Lock 'account:7' was lost while it was held")
                    .contains("The transaction inside which it was requested has committed all the same");
        }
    }

    @Test
    void itIsNoticedOnceForEachLockName(CapturedOutput output) {
        try (ConfigurableApplicationContext here = bank.open()) {
            Accounts accounts = here.getBean(Accounts.class);
            for (int i = 0; i < 3; i++) {
                transactions(here).executeWithoutResult(status -> deposit(accounts, 1));
            }
            assertThat(output.toString().split(NOTICED, -1)).hasSize(2);
            assertThat(output).contains("It is held until that transaction has ended");
        }
    }

    @Test
    void itCanBeReleasedBeforeTheCommitWithAWarning(CapturedOutput output) {
        try (ConfigurableApplicationContext here = bank.open("distributed-lock.transaction.nested-lock=warn")) {
            Accounts accounts = here.getBean(Accounts.class);
            transactions(here).executeWithoutResult(status -> {
                deposit(accounts, 1);
                assertThat(bank.isLocked("7")).isFalse();
            });
            assertThat(output).contains(NOTICED).contains("It is released before that transaction commits");
        }
    }

    @Test
    void itCanBeRefused() {
        try (ConfigurableApplicationContext here = bank.open("distributed-lock.transaction.nested-lock=fail")) {
            Accounts accounts = here.getBean(Accounts.class);
            transactions(here).executeWithoutResult(status -> {
                assertThatExceptionOfType(IllegalTransactionStateException.class)
                        .isThrownBy(() -> accounts.depositUnderTheLockAlone("7", 1))
                        .withMessageStartingWith(NOTICED)
                        .withMessageContaining("No lock was taken");
                assertThat(bank.isLocked("7")).isFalse();
            });
        }
    }

    @Test
    void aLockAroundATransactionIsNotNoticed(CapturedOutput output) throws Exception {
        try (ConfigurableApplicationContext here = bank.open("distributed-lock.transaction.nested-lock=fail")) {
            here.getBean(Accounts.class).deposit("7", 1, Meanwhile.NOTHING);
            assertThat(bank.isLocked("7")).isFalse();
            assertThat(output).doesNotContain(NOTICED);
        }
    }
}
