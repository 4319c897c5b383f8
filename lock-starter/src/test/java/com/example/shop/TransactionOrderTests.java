package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.call.DistributedLockAdvisor;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor;

class TransactionOrderTests {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theLockIsReleasedAfterTheCommit(boolean classProxy) {
        try (ConfigurableApplicationContext shop = start(classProxy)) {
            Ledger ledger = shop.getBean(Ledger.class);
            assertThat(AopUtils.isCglibProxy(ledger)).isEqualTo(classProxy);
            ledger.post("7", false);
            assertThat(shop.getBean(WatchingStore.class).rowsAtRelease).containsExactly(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theLockIsReleasedAfterTheRollback(boolean classProxy) {
        try (ConfigurableApplicationContext shop = start(classProxy)) {
            Ledger ledger = shop.getBean(Ledger.class);
            assertThatIllegalStateException().isThrownBy(() -> ledger.post("7", true));
            assertThat(shop.getBean(WatchingStore.class).rowsAtRelease).containsExactly(0);
        }
    }

    @Test
    void theLocksOrderIsSmallerThanTheTransactionsSoThatNoTieDecides() {
        try (ConfigurableApplicationContext shop = start(true)) {
            assertThat(shop.getBean(DistributedLockAdvisor.class).getOrder())
                    .isLessThan(shop.getBean(BeanFactoryTransactionAttributeSourceAdvisor.class)
                            .getOrder());
        }
    }

    @EnableTransactionManagement(order = 0, proxyTargetClass = true)
    static class OutermostTransactions {}

    @Test
    void anApplicationThatMovesItsTransactionsOutsideCanMoveTheLockToo() {
        try (ConfigurableApplicationContext shop =
                start(true, OutermostTransactions.class, "distributed-lock.transaction.nested-lock=warn")) {
            shop.getBean(Ledger.class).post("7", false);
            assertThat(shop.getBean(WatchingStore.class).rowsAtRelease).containsExactly(0);
        }
        try (ConfigurableApplicationContext shop =
                start(true, OutermostTransactions.class, "distributed-lock.aspect.order=-1")) {
            shop.getBean(Ledger.class).post("7", false);
            assertThat(shop.getBean(WatchingStore.class).rowsAtRelease).containsExactly(1);
        }
    }

    @Test
    void aLockInsideOfItsTransactionIsReleasedAfterTheCommitAllTheSame() {
        try (ConfigurableApplicationContext shop = start(true, OutermostTransactions.class)) {
            shop.getBean(Ledger.class).post("7", false);
            assertThat(shop.getBean(WatchingStore.class).rowsAtRelease).containsExactly(1);
        }
    }

    private static ConfigurableApplicationContext start(boolean classProxy) {
        return start(classProxy, Bookkeeping.class);
    }

    private static ConfigurableApplicationContext start(boolean classProxy, Class<?> more, String... properties) {
        return ShopApplication.start(
                new Class<?>[] {Bookkeeping.class, more},
                Stream.concat(
                                Stream.of(
                                        "spring.datasource.generate-unique-name=true",
                                        "spring.aop.proxy-target-class=" + classProxy),
                                Arrays.stream(properties))
                        .toArray(String[]::new));
    }

    @Import({JdbcLedger.class, WatchingStore.class})
    static class Bookkeeping {}

    interface Ledger {
        void post(String account, boolean failing);
    }

    static class JdbcLedger implements Ledger {
        private final JdbcTemplate jdbc;

        JdbcLedger(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            jdbc.execute("create table posting (account varchar(20))");
        }

        @Override
        @Transactional
        @DistributedLock(key = "#account")
        public void post(String account, boolean failing) {
            jdbc.update("insert into posting values (?)", account);
            if (failing) {
                throw new IllegalStateException("not today");
            }
        }
    }

    /** Looks into the database on a connection of its own at the moment in which a lock is given back. */
    static class WatchingStore implements LockStore {
        final List<Integer> rowsAtRelease = new CopyOnWriteArrayList<>();
        private final LockStore store = new InMemoryLockStore();
        private final DataSource database;

        WatchingStore(DataSource database) {
            this.database = database;
        }

        @Override
        public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
            return store.acquire(claim, ttl, patience);
        }

        @Override
        public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
            return store.extend(claim, token, ttl);
        }

        @Override
        public CompletionStage<Release> release(Claim claim) {
            rowsAtRelease.add(committedRows());
            return store.release(claim);
        }

        private int committedRows() {
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select count(*) from posting")) {
                rows.next();
                return rows.getInt(1);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
