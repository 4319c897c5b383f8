package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.example.shop.Accounts.Meanwhile;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LossReason;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** A database that is written by a holder whose lock is lost, and by the next holder. */
@Timeout(120)
class CommitGuardTests {

    private static final String UNGUARDED = "distributed-lock.transaction.commit-guard=false";

    private final Bank bank = new Bank();

    @AfterEach
    void close() {
        bank.close();
    }

    /** The lock goes away, the next holder writes and commits, and only then the first one goes on. */
    private Meanwhile nextHolderDeposits(Accounts next, int amount, Runnable end) {
        return lock -> {
            end.run();
            assertThat(lock.lost().toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .isNotNull();
            OtherThread.call(() -> {
                next.deposit("7", amount, Meanwhile.NOTHING);
                return null;
            });
            assertThat(next.balance("7")).isEqualTo(amount);
        };
    }

    @Test
    void aHolderWhoseLockWasDeletedDoesNotOverwriteTheNextHolder() {
        try (ConfigurableApplicationContext here = bank.open();
                ConfigurableApplicationContext there = bank.open()) {
            Accounts loser = here.getBean(Accounts.class);
            Meanwhile loss = nextHolderDeposits(there.getBean(Accounts.class), 100, () -> bank.deleteLock("7"));
            LockLostException lost = catchThrowableOfType(LockLostException.class, () -> loser.deposit("7", 1, loss));
            assertThat(lost.reason()).isEqualTo(LossReason.NOT_OWNER);
            assertThat(lost.lockKey()).isEqualTo("7");
            assertThat(loser.balance("7")).isEqualTo(100);
        }
    }

    @Test
    void aHolderWhoseTtlRanOutDoesNotOverwriteTheNextHolder() {
        try (ConfigurableApplicationContext here = bank.open();
                ConfigurableApplicationContext there = bank.open()) {
            Accounts loser = here.getBean(Accounts.class);
            Meanwhile loss = nextHolderDeposits(there.getBean(Accounts.class), 100, () -> {});
            LockLostException lost =
                    catchThrowableOfType(LockLostException.class, () -> loser.depositWithinFiveSeconds("7", 1, loss));
            assertThat(lost.reason()).isEqualTo(LossReason.DEADLINE);
            assertThat(loser.balance("7")).isEqualTo(100);
        }
    }

    @Test
    void withoutTheGuardTheNextHoldersWriteIsGone() {
        try (ConfigurableApplicationContext here = bank.open(UNGUARDED);
                ConfigurableApplicationContext there = bank.open(UNGUARDED)) {
            Accounts loser = here.getBean(Accounts.class);
            Meanwhile loss = nextHolderDeposits(there.getBean(Accounts.class), 100, () -> bank.deleteLock("7"));
            LockLostException lost = catchThrowableOfType(LockLostException.class, () -> loser.deposit("7", 1, loss));
            assertThat(lost.reason()).isEqualTo(LossReason.NOT_OWNER);
            assertThat(loser.balance("7")).isEqualTo(1);
        }
    }

    @Test
    void aTransactionUnderALockThatIsHeldCommits() {
        try (ConfigurableApplicationContext here = bank.open()) {
            Accounts accounts = here.getBean(Accounts.class);
            assertThatNoException().isThrownBy(() -> accounts.deposit("7", 1, Meanwhile.NOTHING));
            assertThatNoException().isThrownBy(() -> accounts.deposit("7", 1, LockHandle::release));
            assertThat(accounts.balance("7")).isEqualTo(2);
        }
    }

    @Test
    void aLockThatWouldNotOutlastTheCommitRollsBackToo() {
        try (ConfigurableApplicationContext here =
                bank.open("distributed-lock.ttl=30s", "distributed-lock.transaction.commit-margin=10s")) {
            Accounts accounts = here.getBean(Accounts.class);
            LockLostException lost = catchThrowableOfType(
                    LockLostException.class,
                    () -> accounts.depositWithinFiveSeconds(
                            "7", 1, lock -> assertThat(lock.isHeld()).isTrue()));
            assertThat(lost).hasMessageContaining("10000");
            assertThat(accounts.balance("7")).isZero();
        }
    }

    @Test
    void aTransactionOfItsOwnInsideOfAnotherIsRolledBackToo() {
        try (ConfigurableApplicationContext here = bank.open()) {
            Accounts accounts = here.getBean(Accounts.class);
            TransactionTemplate own = new TransactionTemplate(here.getBean(PlatformTransactionManager.class));
            own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            LockLostException lost = catchThrowableOfType(
                    LockLostException.class,
                    () -> accounts.deposit("7", 1, lock -> {
                        bank.deleteLock("7");
                        assertThat(lock.lost().toCompletableFuture().get(60, TimeUnit.SECONDS))
                                .isNotNull();
                        own.executeWithoutResult(status ->
                                here.getBean(JdbcTemplate.class).update("insert into account values ('audit', 1)"));
                    }));
            assertThat(lost).isNotNull();
            assertThat(accounts.balance("audit")).isZero();
            assertThat(accounts.balance("7")).isZero();
        }
    }

    /** Two managers of the application's own. */
    static class TwoManagers {

        @Bean
        @Primary
        static PlatformTransactionManager main(javax.sql.DataSource database) {
            return new DataSourceTransactionManager(database);
        }

        @Bean
        static PlatformTransactionManager archive(javax.sql.DataSource database) {
            return new DataSourceTransactionManager(database);
        }
    }

    @Test
    void everyTransactionManagerIsGuarded() {
        try (ConfigurableApplicationContext here = bank.open(TwoManagers.class)) {
            Accounts accounts = here.getBean(Accounts.class);
            TransactionTemplate archive =
                    new TransactionTemplate(here.getBean("archive", PlatformTransactionManager.class));
            archive.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            LockLostException lost = catchThrowableOfType(
                    LockLostException.class,
                    () -> accounts.deposit("7", 1, lock -> {
                        bank.deleteLock("7");
                        assertThat(lock.lost().toCompletableFuture().get(60, TimeUnit.SECONDS))
                                .isNotNull();
                        assertThat(catchThrowableOfType(
                                        LockLostException.class,
                                        () -> archive.executeWithoutResult(status -> here.getBean(JdbcTemplate.class)
                                                .update("insert into account values ('archived', 1)"))))
                                .isNotNull();
                    }));
            assertThat(lost).isNotNull();
            assertThat(accounts.balance("archived")).isZero();
            assertThat(accounts.balance("7")).isZero();
        }
    }
}
