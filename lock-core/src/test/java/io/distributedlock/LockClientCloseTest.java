package io.distributedlock;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.ScriptedCall.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a client lets go: nobody waits in vain, nothing stays behind. */
@Timeout(60)
class LockClientCloseTest {

    private static final LockRequest WANTED = LockRequest.of("42");

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Bench bench = new Bench();
    private final Engine engine = new Engine(
            bench.store,
            bench.time,
            WaitStrategy.jitteredBackoff(),
            Runnable::run,
            new Notifier(List.of()),
            new EngineSettings(Duration.ofMinutes(5), new LocalQueueSettings(true, 100, 100), ReleaseMode.CONFIRMED));

    private Contender acquisition() {
        return acquisition(WANTED);
    }

    private Contender acquisition(LockRequest wanted) {
        LockDefaults defaults =
                new LockDefaults(Bench.WAIT_TIME, new Lease(Bench.TTL, true, null, Bench.COMMAND_TIMEOUT));
        return engine.acquire(defaults.terms(wanted), null);
    }

    @Test
    void aClosedClientHasReleasedItsLocksAndClosedItsStore() {
        LockHandle lock = bench.held();
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        bench.client.close();
        assertThat(lock.isHeld()).isFalse();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
        assertThat(bench.store.isClosed()).isTrue();
        assertThat(bench.client.held()).isEmpty();
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void whoeverWaitsIsToldThatTheClientIsClosed() {
        CompletableFuture<LockHandle> waiting = bench.client.acquireAsync(WANTED);
        bench.acquire().refuses(Duration.ofSeconds(20));
        bench.client.close();
        LockUnavailableException closed = failure(LockUnavailableException.class, waiting);
        assertThat(closed.outcome()).isEqualTo(Outcome.CLOSED);
        assertThat(closed).hasMessageContaining("'default:42'").hasMessageContaining("closed or shutting down");
    }

    @Test
    void aClosedClientGivesNothingAndSendsNothing() {
        bench.client.close();
        for (Outcome outcome : List.of(
                catchThrowableOfType(LockUnavailableException.class, () -> bench.client.acquire(WANTED))
                        .outcome(),
                catchThrowableOfType(LockUnavailableException.class, () -> bench.client.tryAcquire(WANTED))
                        .outcome(),
                failure(LockUnavailableException.class, bench.client.acquireAsync(WANTED))
                        .outcome())) {
            assertThat(outcome).isEqualTo(Outcome.CLOSED);
        }
        assertThat(bench.store.calls()).isEmpty();
    }

    @Test
    void closingTwiceIsHarmless() {
        bench.held();
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        bench.client.close();
        bench.client.close();
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(1);
    }

    @Test
    void whoeverHoldsALockIsToldThatItIsLostBeforeItIsFreed() {
        LockHandle lock = bench.held();
        List<String> order = new ArrayList<>();
        lock.lost().thenAccept(reason -> order.add("told " + reason));
        bench.store.always(Verb.RELEASE, call -> {
            order.add("freed");
            call.frees();
        });
        bench.client.close();
        assertThat(order).containsExactly("told CLOSED", "freed");
        assertThat(failure(LockLostException.class, lock.releaseAsync()).reason())
                .isEqualTo(LossReason.CLOSED);
    }

    @Test
    void workUnderALockIsLeftToEndForAsLongAsTheDrainingHasPatience() {
        Contender ending = acquisition();
        bench.acquire().grants(7);
        Contender staying = acquisition(LockRequest.of("43"));
        bench.acquire().grants(8);
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        CompletableFuture<Void> drained = engine.drain(PATIENCE);
        CompletableFuture<Void> released = now(ending.result()).releaseAsync();
        assertThat(released).isCompleted();
        bench.advance(PATIENCE.minusNanos(1));
        assertThat(now(staying.result()).isHeld()).isTrue();
        assertThat(drained).isNotDone();
        bench.advance(Duration.ofNanos(1));
        assertThat(now(staying.result()).lost().toCompletableFuture()).isCompletedWithValue(LossReason.CLOSED);
        assertThat(drained).isCompleted();
        bench.advance(Bench.TTL);
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void aLockThatWasHandedOutJustBeforeIsLeftToItsHolderTooAndThenLostAloud() {
        Contender acquisition = acquisition();
        List<CompletableFuture<Void>> drained = new ArrayList<>();
        acquisition.result().thenRun(() -> drained.add(engine.drain(PATIENCE)));
        bench.acquire().grants(7);
        assertThat(now(acquisition.result()).isHeld()).isTrue();
        assertThat(drained).singleElement().satisfies(drain -> assertThat(drain).isNotDone());
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(PATIENCE);
        assertThat(now(acquisition.result()).lost().toCompletableFuture()).isCompletedWithValue(LossReason.CLOSED);
        bench.release().frees();
        assertThat(drained).singleElement().satisfies(drain -> assertThat(drain).isCompleted());
    }

    @Test
    void drainingEndsAsSoonAsTheLastLockIsReleased() {
        Contender acquisition = acquisition();
        bench.acquire().grants(7);
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        CompletableFuture<Void> drained = engine.drain(PATIENCE);
        assertThat(drained).isNotDone();
        CompletableFuture<Void> released = now(acquisition.result()).releaseAsync();
        assertThat(released).isCompleted();
        assertThat(drained).isCompleted();
        assertThat(now(acquisition.result()).lost().toCompletableFuture()).isNotDone();
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void nobodyGetsALockWhileAClientIsDrained() throws InterruptedException {
        LockHandle lock = bench.held();
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        Thread draining = new Thread(() -> bench.client.drain(PATIENCE, Duration.ofMinutes(10)));
        draining.start();
        await().until(() -> bench.client.acquireAsync(WANTED).isCompletedExceptionally());
        assertThat(failure(LockUnavailableException.class, bench.client.acquireAsync(WANTED))
                        .outcome())
                .isEqualTo(Outcome.CLOSED);
        CompletableFuture<Void> released = lock.releaseAsync();
        draining.join();
        assertThat(released).isCompleted();
        CompletableFuture<LockHandle> again = bench.client.acquireAsync(WANTED);
        bench.acquire().grants(9);
        assertThat(now(again).isHeld()).isTrue();
    }

    @Test
    void nothingIsHeldAfterTheLimitHoweverMuchPatienceThereWas() {
        LockHandle lock = bench.held();
        bench.client.drain(Duration.ofDays(1), Duration.ofMillis(1));
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.CLOSED);
    }

    @Test
    void aDrainedClientCanBeUsedAgain() {
        bench.held();
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        bench.client.drain(Duration.ofSeconds(30));
        assertThat(bench.held().isHeld()).isTrue();
        assertThat(bench.store.isClosed()).isFalse();
    }

    @Test
    void drainingDoesNotWaitLongerThanItsLimitForAStoreThatIsSilent() {
        LockHandle lock = bench.held();
        bench.client.drain(Duration.ofMillis(1));
        assertThat(lock.isHeld()).isFalse();
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(1);
    }

    @Test
    void anInterruptEndsTheDrainingAndIsKept() {
        bench.held();
        Thread.currentThread().interrupt();
        bench.client.drain(Duration.ofDays(1));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void drainingWaitsForTheCleanUp() {
        Contender acquisition = acquisition();
        CompletableFuture<Void> drained = engine.drain(Duration.ZERO);
        assertThat(failure(LockUnavailableException.class, acquisition.result()).outcome())
                .isEqualTo(Outcome.CLOSED);
        assertThat(drained).isNotDone();
        bench.release().frees();
        assertThat(drained).isCompleted();
    }

    @Test
    void drainingWaitsForReleasesThatFailAndAreRepeated() {
        Contender acquisition = acquisition();
        bench.acquire().grants(7);
        CompletableFuture<Void> drained = engine.drain(Duration.ZERO);
        bench.advance(Bench.COMMAND_TIMEOUT);
        assertThat(now(acquisition.result()).isHeld()).isFalse();
        assertThat(drained).isNotDone();
        bench.release().frees();
        assertThat(drained).isCompleted();
    }

    @Test
    void drainingWaitsForReleasesThatAreUnderWay() {
        Contender acquisition = acquisition();
        bench.acquire().grants(7);
        CompletableFuture<Void> released = now(acquisition.result()).releaseAsync();
        CompletableFuture<Void> drained = engine.drain(Duration.ZERO);
        assertThat(drained).isNotDone();
        bench.advance(Bench.COMMAND_TIMEOUT);
        assertThat(released).isCompleted();
        assertThat(drained).isNotDone();
        bench.release().frees();
        assertThat(drained).isCompleted();
    }

    @Test
    void aCallThatBeginsWhileTheClientIsClosedIsToldSo() {
        AtomicReference<Runnable> once = new AtomicReference<>(() -> {});
        LockClient client = bench.settings().timeline(hooked(once)).build();
        once.set(client::close);
        assertThat(failure(LockUnavailableException.class, client.acquireAsync(WANTED))
                        .outcome())
                .isEqualTo(Outcome.CLOSED);
        bench.store.calls(Verb.ACQUIRE).forEach(call -> call.grants(7));
        assertThat(client.held()).isEmpty();
        assertThat(bench.store.calls(Verb.RELEASE)).hasSameSizeAs(bench.store.calls(Verb.ACQUIRE));
    }

    /** The bench's time, but at the next look at the clock something happens first. */
    private Timeline hooked(AtomicReference<Runnable> once) {
        return new Timeline() {
            @Override
            public long now() {
                once.getAndSet(() -> {}).run();
                return bench.time.now();
            }

            @Override
            public long wallClock() {
                return bench.time.wallClock();
            }

            @Override
            public Timer after(Duration delay, Runnable task) {
                return bench.time.after(delay, task);
            }

            @Override
            public void close() {
                bench.time.close();
            }
        };
    }
}
