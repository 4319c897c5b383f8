package io.distributedlock.internal.renewal;

import static io.distributedlock.Bench.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockEvent;
import io.distributedlock.LockEvent.LongHold;
import io.distributedlock.LockEvent.Lost;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.client.DefaultLockClientBuilder;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holders that do not come back: no lock is renewed for them for ever. */
@Timeout(60)
class StuckHolderDetectorTest {

    private static final Duration CAP = Duration.ofMinutes(1);
    private static final Duration PERIOD = Bench.TTL.dividedBy(3);
    private static final LockRequest WANTED = LockRequest.of("orders", "42");

    private final Bench bench = new Bench();

    @BeforeEach
    void theStoreConfirmsEverything() {
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
    }

    private <E extends LockEvent> List<E> events(Class<E> type) {
        return bench.events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Test
    void aWarningThatIsNotToComeKeepsNoLockFromBeingTaken() {
        LockClient client = bench.settings()
                .longHoldWarning(ChronoUnit.FOREVER.getDuration())
                .build();
        CompletableFuture<LockHandle> lock = client.acquireAsync(WANTED.withTtl(Duration.ofSeconds(3)));
        bench.acquire().grants(7);
        Bench.now(lock).release();
    }

    @Test
    void aLockIsLostAtItsMaxHoldAndNotBefore() {
        LockHandle lock = bench.held(WANTED.withMaxHold(CAP));
        bench.advance(CAP.minusNanos(1));
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.remaining()).isEqualTo(Duration.ofNanos(1));
        bench.advance(Duration.ofNanos(1));
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.MAX_HOLD);
        assertThat(lock.state()).isEqualTo(LockState.LOST);
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(1);
        assertThat(bench.time.timers()).isZero();
    }

    /** The renewal is sent in the last 0.7 s of the first third of the lease, and has a second for its answer. */
    @Test
    void aMaxHoldThatIsReachedWhileARenewalHasNoAnswerEndsTheHoldThenAndOnce() {
        bench.store.never(Verb.EXTEND);
        Duration justAfterTheRenewal = Bench.TTL.dividedBy(3).plusMillis(20);
        LockHandle lock = bench.held(WANTED.withMaxHold(justAfterTheRenewal));
        bench.advance(justAfterTheRenewal);
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.MAX_HOLD);
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(1);
        ScriptedCall renewal = bench.store.calls(Verb.EXTEND).get(0);
        assertThat(renewal.isAnswered()).isFalse();
        renewal.confirms();
        bench.advance(Bench.TTL);
        await().until(() -> events(Lost.class).size() == 1);
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void thatTheMaxHoldIsReachedIsKnownFromTheClockAlthoughNoTimerHasRun() {
        LockHandle lock = bench.held(WANTED.withMaxHold(Duration.ofSeconds(5)));
        bench.time.pause(Duration.ofSeconds(5));
        assertThatThrownBy(lock::requireHeld)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LossReason.MAX_HOLD));
    }

    @Test
    void aReleaseAfterTheMaxHoldIsTooLate() {
        LockHandle lock = bench.held(WANTED.withMaxHold(CAP));
        bench.time.pause(Duration.ofSeconds(1));
        bench.advance(CAP);
        assertThat(failure(LockLostException.class, lock.releaseAsync()).reason())
                .isEqualTo(LossReason.MAX_HOLD);
    }

    @Test
    void theClientsMaxHoldCountsForRenewedLocksAndARequestsForAll() {
        LockClient client = bench.settings().maxHold(CAP).build();
        LockHandle renewed = held(client, WANTED);
        LockHandle longer = held(client, LockRequest.of("43").withMaxHold(CAP.multipliedBy(2)));
        LockHandle explicit = held(client, LockRequest.of("44").withTtl(CAP.multipliedBy(3)));
        LockHandle both =
                held(client, LockRequest.of("45").withTtl(CAP.multipliedBy(3)).withMaxHold(CAP));
        bench.advance(CAP);
        assertThat(List.of(renewed.isHeld(), longer.isHeld(), explicit.isHeld(), both.isHeld()))
                .containsExactly(false, true, true, false);
        bench.advance(CAP);
        assertThat(List.of(longer.isHeld(), explicit.isHeld())).containsExactly(false, true);
    }

    private LockHandle held(LockClient client, LockRequest request) {
        CompletableFuture<LockHandle> lock = client.acquireAsync(request);
        bench.acquire().grants(7);
        return Bench.now(lock);
    }

    @Test
    void aHolderThatTakesLongIsReportedOnceWithWhatItIsDoing() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        bench.store.always(Verb.ACQUIRE, call -> call.grants(7));
        AtomicReference<LockHandle> lock = new AtomicReference<>();
        Thread worker = new Thread(() -> hold(lock, done), "worker");
        worker.start();
        await().until(() -> lock.get() != null);
        bench.advance(DefaultLockClientBuilder.DEFAULT_LONG_HOLD_WARNING.minus(PERIOD));
        assertThat(events(LongHold.class)).isEmpty();
        bench.advance(PERIOD.multipliedBy(20));
        await().until(() -> !events(LongHold.class).isEmpty());
        CompletableFuture<LockHandle> marker = bench.client.acquireAsync(LockRequest.of("marker"));
        await().until(() -> bench.events.get(bench.events.size() - 1).name().equals("marker"));
        assertThat(events(LongHold.class)).singleElement().satisfies(told -> {
            assertThat(told.name()).isEqualTo("orders");
            assertThat(told.held()).isGreaterThanOrEqualTo(DefaultLockClientBuilder.DEFAULT_LONG_HOLD_WARNING);
            assertThat(told.stack()).anyMatch(frame -> frame.getMethodName().equals("hold"));
        });
        assertThat(lock.get().isHeld()).isTrue();
        assertThat(marker).isCompleted();
        done.countDown();
        worker.join();
    }

    private void hold(AtomicReference<LockHandle> lock, CountDownLatch done) {
        lock.set(bench.client.acquire(WANTED));
        try {
            done.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aLockWithALongTtlIsReportedTooAndInTime() {
        LockHandle lock = bench.held(WANTED.withTtl(Duration.ofHours(2)));
        bench.advance(DefaultLockClientBuilder.DEFAULT_LONG_HOLD_WARNING);
        await().until(() -> !events(LongHold.class).isEmpty());
        assertThat(events(LongHold.class).get(0).stack()).isEmpty();
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void aLockOfAThreadThatHasEndedIsFreedAtItsNextRenewal() throws InterruptedException {
        AtomicReference<LockHandle> lock = new AtomicReference<>();
        acquireInAThreadThatEnds(lock, handle -> {});
        assertThat(lock.get().isHeld()).isTrue();
        bench.advance(PERIOD);
        assertThat(lock.get().lost().toCompletableFuture()).isCompletedWithValue(LossReason.HOLDER_GONE);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
        await().until(() -> events(Lost.class).size() == 1);
    }

    @Test
    void aLockThatWasUnboundOutlivesItsThread() throws InterruptedException {
        AtomicReference<LockHandle> lock = new AtomicReference<>();
        acquireInAThreadThatEnds(lock, LockHandle::unbind);
        bench.advance(PERIOD.multipliedBy(10));
        assertThat(lock.get().isHeld()).isTrue();
    }

    private void acquireInAThreadThatEnds(AtomicReference<LockHandle> lock, Consumer<LockHandle> last)
            throws InterruptedException {
        bench.store.always(Verb.ACQUIRE, call -> call.grants(7));
        Thread thread = new Thread(() -> {
            lock.set(bench.client.acquire(WANTED));
            last.accept(lock.get());
        });
        thread.start();
        thread.join();
    }

    @Test
    void aRenewedLockWhoseHandleWasDroppedIsFreed() {
        CompletableFuture<LockHandle> call = bench.client.acquireAsync(WANTED);
        bench.acquire().grants(7);
        WeakReference<LockHandle> handle = new WeakReference<>(Bench.now(call));
        call = null;
        await().until(() -> {
            System.gc();
            return handle.get() == null;
        });
        bench.advance(PERIOD);
        await().until(() -> !events(Lost.class).isEmpty());
        assertThat(events(Lost.class).get(0).reason()).isEqualTo(LossReason.HOLDER_GONE);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
        assertThat(bench.client.held()).isEmpty();
    }

    @Test
    void aLockWithAnExplicitTtlMayBeForgotten() {
        CompletableFuture<LockHandle> call = bench.client.acquireAsync(WANTED.withTtl(Duration.ofHours(2)));
        bench.acquire().grants(7);
        WeakReference<LockHandle> handle = new WeakReference<>(Bench.now(call));
        call = null;
        await().until(() -> {
            System.gc();
            return handle.get() == null;
        });
        bench.advance(Duration.ofHours(1));
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
    }

    @Test
    void aHandleThatIsInUseIsNotForgotten() {
        LockHandle lock = bench.held(WANTED);
        System.gc();
        bench.advance(PERIOD.multipliedBy(10));
        assertThat(lock.isHeld()).isTrue();
        Reference.reachabilityFence(lock);
    }
}
