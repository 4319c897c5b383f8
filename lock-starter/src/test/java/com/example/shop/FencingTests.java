package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.distributedlock.LockContext;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.FencingToken;
import io.distributedlock.spring.jdbc.FencedRows;
import io.distributedlock.spring.jdbc.StaleTokenException;
import io.distributedlock.testkit.server.RedisServer;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/** The token of a lock reaches the method, and the database refuses the caller that comes too late with it. */
class FencingTests {

    private static final RedisServer REDIS = RedisServer.start();
    private static ConfigurableApplicationContext shop;

    private final Ledger ledger = shop.getBean(Ledger.class);
    private final JdbcTemplate jdbc = shop.getBean(JdbcTemplate.class);

    /** Writes rows under their locks. */
    static class Ledger {

        private final JdbcTemplate jdbc;
        private final FencedRows rows;

        @Autowired
        Ledger(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
            this.rows = new FencedRows(jdbc, "ledger", "id", "fence");
        }

        @DistributedLock(name = "ledger", key = "#id", ttl = "2s")
        @Transactional
        public long write(int id, @FencingToken long token, String text, Callable<?> before) throws Exception {
            before.call();
            rows.enter(id, token);
            jdbc.update("UPDATE ledger SET text = ? WHERE id = ?", text, id);
            return token;
        }

        @DistributedLock(name = "ledger", key = "#p1")
        public long tokenOf(@FencingToken Long token, int id) {
            assertThat(LockContext.current().get(0).fencingToken()).isEqualTo(token);
            return token;
        }

        @DistributedLock(name = "ledger", key = "#id")
        public CompletableFuture<Long> later(int id, @FencingToken long token) {
            return CompletableFuture.completedFuture(token);
        }

        @DistributedLock(name = "ledger", key = "#id")
        public Mono<Long> perSubscription(int id, @FencingToken long token) {
            return Mono.just(token);
        }
    }

    @BeforeAll
    static void start() {
        shop = ShopApplication.start(
                new Class<?>[] {Ledger.class},
                "spring.data.redis.port=" + REDIS.port(),
                "distributed-lock.transaction.commit-guard=false",
                "spring.datasource.url=jdbc:h2:mem:fencing;DB_CLOSE_DELAY=-1");
    }

    @AfterAll
    static void stop() {
        shop.close();
        REDIS.close();
    }

    @BeforeEach
    void emptyLedger() {
        jdbc.execute("DROP TABLE IF EXISTS ledger");
        jdbc.execute("CREATE TABLE ledger (id INT PRIMARY KEY, text VARCHAR(20), fence BIGINT NOT NULL DEFAULT 0)");
        jdbc.update("INSERT INTO ledger (id, text) VALUES (1, 'nothing')");
    }

    @Test
    void theTokenGrowsFromCallToCallWhateverTheCallerPasses() throws Exception {
        long first = ledger.write(1, Long.MAX_VALUE, "one", () -> null);
        long second = ledger.tokenOf(null, 1);
        long third = ledger.later(1, 0).get();
        Mono<Long> each = ledger.perSubscription(1, 0);
        long fourth = each.toFuture().get();
        long fifth = each.toFuture().get();
        assertThat(new long[] {0, first, second, third, fourth, fifth})
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void aNestedCallUnderTheSameLockHasTheSameToken() {
        shop.getBean(LockTemplate.class)
                .run(
                        LockRequest.of("ledger", "1"),
                        lock -> assertThat(ledger.tokenOf(0L, 1)).isEqualTo(lock.fencingToken()));
    }

    /**
     * The first holder stops for longer than its lease and knows nothing of that when it goes on, as in a long
     * collection.
     */
    @Test
    void theLateWriteOfAHolderThatWasPausedIsRefused() throws Exception {
        CountDownLatch paused = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Long> late = CompletableFuture.supplyAsync(() -> {
            try {
                return ledger.write(1, 0, "late", () -> {
                    paused.countDown();
                    return goOn.await(1, TimeUnit.MINUTES);
                });
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
        assertThat(paused.await(1, TimeUnit.MINUTES)).isTrue();
        long winner = ledger.write(1, 0, "in time", () -> null);
        goOn.countDown();
        assertThat(late)
                .failsWithin(1, TimeUnit.MINUTES)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOf(StaleTokenException.class)
                .withMessageContaining("The row 1 in ledger was written with the fencing token " + winner);
        assertThat(jdbc.queryForObject("SELECT text FROM ledger WHERE id = 1", String.class))
                .isEqualTo("in time");
    }

    @Test
    void aHolderCanWriteARowAgainButNotOneThatIsNotThere() {
        FencedRows rows = new FencedRows(jdbc, "ledger", "id", "fence");
        rows.enter(1, 7);
        rows.enter(1, 7);
        assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> rows.enter(1, 6));
        assertThatExceptionOfType(EmptyResultDataAccessException.class)
                .isThrownBy(() -> rows.enter(2, 7))
                .withMessageContaining("no row 2 in ledger");
    }

    @Test
    void whatIsNoNameOfATableOrColumnIsRefused() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new FencedRows(jdbc, "ledger; DROP TABLE ledger", "id", "fence"));
    }
}
