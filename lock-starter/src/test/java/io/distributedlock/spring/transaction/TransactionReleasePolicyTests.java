package io.distributedlock.spring.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.LockContext;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Transactions as transaction services outside of Spring run them, played by hand. */
@ExtendWith(OutputCaptureExtension.class)
class TransactionReleasePolicyTests {

    private static final LockRequest ORDER =
            LockRequest.of("order", "42").withWaitTime(Duration.ZERO).withTtl(Duration.ofDays(1));

    private final LockClient client =
            LockClient.builder(new InMemoryLockStore()).build();
    private final LockTemplate template =
            new LockTemplate(client, new TransactionReleasePolicy(InsideTransaction.RELEASE_AFTER_COMPLETION, null));

    @BeforeEach
    void begin() {
        TransactionSynchronizationManager.initSynchronization();
        TransactionSynchronizationManager.setActualTransactionActive(true);
    }

    @AfterEach
    void end() {
        TransactionSynchronizationManager.clear();
        assertThat(LockContext.current()).isEmpty();
        client.close();
    }

    private static void complete(int status) {
        TransactionSynchronizationManager.getSynchronizations()
                .forEach(synchronization -> synchronization.afterCompletion(status));
    }

    @Test
    void aTransactionThatIsEndedByAnotherThreadLeavesNothingBehind() throws InterruptedException {
        LockHandle lock = template.execute(ORDER, held -> held);
        List<TransactionSynchronization> synchronizations = TransactionSynchronizationManager.getSynchronizations();
        Thread service = new Thread(() -> synchronizations.forEach(
                synchronization -> synchronization.afterCompletion(TransactionSynchronization.STATUS_UNKNOWN)));
        service.start();
        service.join();
        assertThat(lock.isHeld()).isFalse();
        assertThat(LockContext.current()).isEmpty();
    }

    @Test
    void aTransactionThatEndsWithinTheCallIsNotWaitedForAnyMore() {
        LockHandle lock = template.execute(ORDER, held -> {
            complete(TransactionSynchronization.STATUS_COMMITTED);
            assertThat(held.isHeld()).isTrue();
            return held;
        });
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void severalLocksAreReleasedWithTheLastOneFirst() {
        LockHandle first = template.execute(ORDER, held -> held);
        template.run("other", held -> assertThat(LockContext.current()).containsExactly(held, first));
        complete(TransactionSynchronization.STATUS_COMMITTED);
        assertThat(client.held()).isEmpty();
    }

    @Test
    void aReleaseThatFailsDoesNotKeepTheOthersFromTheirs(CapturedOutput output) {
        LockHandle first = template.execute(ORDER, held -> held);
        HeldUntilCompletion.ofThisTransaction(null).execute(() -> {
            throw new IllegalStateException("broken release");
        });
        complete(TransactionSynchronization.STATUS_COMMITTED);
        assertThat(first.isHeld()).isFalse();
        assertThat(output).contains("broken release");
    }

    @Test
    void howeverOftenLocksAreRequestedATransactionIsAskedToTellOnce() {
        try (LockHandle elsewhere = client.acquire(ORDER)) {
            for (int i = 0; i < 10; i++) {
                assertThat(template.tryExecute(ORDER, held -> held)).isEmpty();
                template.run("lock " + i, held -> {});
            }
            assertThat(elsewhere.isHeld()).isTrue();
        }
        assertThat(TransactionSynchronizationManager.getSynchronizations()).hasSize(1);
        complete(TransactionSynchronization.STATUS_ROLLED_BACK);
    }

    @Test
    void aScopeWithoutATransactionIsNone() {
        TransactionSynchronizationManager.setActualTransactionActive(false);
        LockHandle lock = template.execute(ORDER, held -> held);
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void namesThatAreMadeUpFromDataDoNotFillTheMemoryOrTheLog(CapturedOutput output) {
        for (int i = 0; i < 1_500; i++) {
            template.run(LockRequest.of("order-" + i, "42"), held -> {});
        }
        complete(TransactionSynchronization.STATUS_COMMITTED);
        assertThat(output.toString().lines().filter(line -> line.contains("was requested inside an open transaction")))
                .hasSize(1_000);
    }
}
