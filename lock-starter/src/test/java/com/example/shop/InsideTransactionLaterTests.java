package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockContext;
import io.distributedlock.spring.DistributedLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** A method whose result comes later has no part in the transaction of its caller, so its lock does not wait for that. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class InsideTransactionLaterTests {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final Bank bank = new Bank();

    @AfterEach
    void close() {
        bank.close();
    }

    @Test
    void theWorkIsOutsideOfItsCallersTransactionAndItsLockEndsWithIt(CapturedOutput output) {
        try (ConfigurableApplicationContext here =
                bank.open(Audits.class, "distributed-lock.transaction.nested-lock=fail")) {
            Audits audits = here.getBean(Audits.class);
            new TransactionTemplate(here.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                for (int call = 0; call < 2; call++) {
                    assertThat(audits.later("7")).succeedsWithin(SOON).isEqualTo("1 lock, in a transaction: false");
                    assertThat(bank.isLocked("7")).isFalse();
                    assertThat(audits.reactive("7").block(SOON)).isEqualTo("1 lock, in a transaction: false");
                    assertThat(bank.isLocked("7")).isFalse();
                }
            });
            assertThat(output).doesNotContain("inside an open transaction");
        }
    }

    static class Audits {

        @DistributedLock(name = "account", key = "#id", waitTime = "0")
        public CompletableFuture<String> later(String id) {
            return CompletableFuture.completedFuture(seen());
        }

        @DistributedLock(name = "account", key = "#id", waitTime = "0")
        public Mono<String> reactive(String id) {
            return Mono.just(seen());
        }

        private static String seen() {
            return LockContext.current().size() + " lock, in a transaction: "
                    + TransactionSynchronizationManager.isActualTransactionActive();
        }
    }
}
