package io.distributedlock.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.lease.SingleLockHandle;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work that is interrupted when its lock is lost, and only then. */
@Timeout(60)
class LossInterruptTest {

    private static final LockRequest WANTED = LockRequest.of("orders", "42");

    private final Bench bench = new Bench();
    private final LockTemplate template = new LockTemplate(bench.client);
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @BeforeEach
    void theStoreDoesWhatItIsAskedTo() {
        bench.store.always(Verb.ACQUIRE, call -> call.grants(7));
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
    }

    @AfterEach
    void end() {
        other.shutdownNow();
        assertThat(Thread.interrupted()).isFalse();
    }

    private static void lose(LockHandle lock) {
        ((SingleLockHandle) lock).hold().heldLease().lose(LossReason.NOT_OWNER);
    }

    @Test
    void workThatWaitsIsInterruptedWhenItsLockIsLost() {
        CountDownLatch never = new CountDownLatch(1);
        assertThatThrownBy(() -> template.run(WANTED.withInterruptOnLoss(), lock -> {
                    other.execute(() -> lose(lock));
                    never.await();
                }))
                .isInstanceOf(InterruptedException.class)
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(LockLostException.class));
    }

    @Test
    void aFlagThatNoCallerLookedAtIsClearedWhenTheWorkEnds() {
        assertThatThrownBy(() -> template.run(WANTED.withInterruptOnLoss(), lock -> {
                    lose(lock);
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void workIsNotInterruptedUnlessThatWasAskedFor() {
        assertThatThrownBy(() -> template.run(WANTED, lock -> {
                    lose(lock);
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                }))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void anInterruptOfAnotherOwnerIsKept() {
        assertThatThrownBy(() -> template.run(WANTED.withInterruptOnLoss(), lock -> {
                    Thread.currentThread().interrupt();
                    lose(lock);
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void workWhoseLockIsLostBeforeItBeginsIsInterrupted() {
        SingleLockHandle lock = (SingleLockHandle) Bench.now(bench.client.acquireAsync(WANTED));
        lose(lock);
        Runnable end = LossInterrupt.guard(lock, true);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        end.run();
    }

    @Test
    void noSignalIsNeededForAnInterrupt() {
        LockClient busy =
                bench.settings().signals(task -> {}).executor(task -> {}).build();
        assertThatThrownBy(() -> new LockTemplate(busy).run(WANTED.withInterruptOnLoss(), lock -> {
                    lock.lost().thenRun(() -> {});
                    lose(lock);
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                }))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void noInterruptComesAfterTheWorkHoweverCloselyTheLossFollowsItsEnd() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        for (int i = 0; i < 5_000; i++) {
            int spins = (i * 37) % 5_000;
            CountDownLatch go = new CountDownLatch(1);
            SingleLockHandle lock = (SingleLockHandle) Bench.now(bench.client.acquireAsync(WANTED));
            Future<?> loss = other.submit(() -> {
                go.await();
                lose(lock);
                return null;
            });
            Runnable end = LossInterrupt.guard(lock, true);
            go.countDown();
            spin(spins);
            boolean struckInside = Thread.currentThread().isInterrupted();
            end.run();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(loss).succeedsWithin(Duration.ofSeconds(20));
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            inside.addAndGet(struckInside ? 1 : 0);
        }
        assertThat(inside.get()).isBetween(1, 4_999);
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }
}
