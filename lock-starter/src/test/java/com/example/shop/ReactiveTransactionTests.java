package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.distributedlock.LockClient;
import io.distributedlock.spring.DistributedLock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A reactive transaction of a locked method ends before its lock does. */
@SpringBootTest(classes = ShopApplication.class, properties = "distributed-lock.store=memory")
@Import({
    ReactiveTransactionTests.Watching.class,
    ReactiveTransactionTests.Ledger.class,
    ReactiveTransactionTests.On.class
})
@DirtiesContext
class ReactiveTransactionTests {

    private static final Duration SOON = Duration.ofSeconds(60);

    @Autowired
    private Ledger ledger;

    @Autowired
    private Watching transactions;

    @Autowired
    private LockClient client;

    @BeforeEach
    void forget() {
        transactions.seen.clear();
    }

    @Test
    void theCommitComesUnderTheLockAndTheResultAfterIt() {
        assertThat(ledger.post("7", Mono.just("posted"))
                        .map(text -> text + ", locks held: " + client.held().size())
                        .block(SOON))
                .isEqualTo("posted, locks held: 0");
        assertThat(transactions.seen).containsExactly("begin, locks held: 1", "commit, locks held: 1");
    }

    @Test
    void theRollbackComesUnderTheLock() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ledger.post("7", Mono.error(new IllegalStateException("not today")))
                        .block(SOON))
                .withMessage("not today");
        assertThat(transactions.seen).containsExactly("begin, locks held: 1", "rollback, locks held: 1");
        assertThat(client.held()).isEmpty();
    }

    @Test
    void aStreamIsOneTransactionUnderOneLock() {
        assertThat(ledger.entries("7").collectList().block(SOON)).containsExactly(1, 2, 3);
        assertThat(transactions.seen).containsExactly("begin, locks held: 1", "commit, locks held: 1");
    }

    @EnableTransactionManagement
    static class On {}

    static class Ledger {

        @Transactional("watching")
        @DistributedLock(key = "#account")
        public Mono<String> post(String account, Mono<String> posting) {
            return posting;
        }

        @Transactional("watching")
        @DistributedLock(key = "#account")
        public Flux<Integer> entries(String account) {
            return Flux.range(1, 3);
        }
    }

    /** Transactions of nothing, which look at the locks when they begin and end. */
    @Component("watching")
    static class Watching extends AbstractReactiveTransactionManager {

        final List<String> seen = new CopyOnWriteArrayList<>();
        private final LockClient client;

        Watching(LockClient client) {
            this.client = client;
        }

        private Mono<Void> see(String what) {
            return Mono.fromRunnable(
                    () -> seen.add(what + ", locks held: " + client.held().size()));
        }

        @Override
        protected Object doGetTransaction(TransactionSynchronizationManager current) {
            return new Object();
        }

        @Override
        protected Mono<Void> doBegin(
                TransactionSynchronizationManager current, Object transaction, TransactionDefinition definition) {
            return see("begin");
        }

        @Override
        protected Mono<Void> doCommit(TransactionSynchronizationManager current, GenericReactiveTransaction status) {
            return see("commit");
        }

        @Override
        protected Mono<Void> doRollback(TransactionSynchronizationManager current, GenericReactiveTransaction status) {
            return see("rollback");
        }
    }
}
