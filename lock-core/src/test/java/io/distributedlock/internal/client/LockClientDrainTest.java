package io.distributedlock.internal.client;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.Bench;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.ReleaseMode;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.acquire.LocalQueueSettings;
import io.distributedlock.internal.acquire.LockWaiter;
import io.distributedlock.internal.acquire.WaitStrategy;
import io.distributedlock.internal.event.Callbacks;
import io.distributedlock.internal.event.EventDispatcher;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.policy.LockDefaults;
import io.distributedlock.internal.time.HookedScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a client ends with locks that are held: work under them is left to end for a while, and nothing stays behind. */
@Timeout(60)
class LockClientDrainTest {

    private static final LockRequest WANTED = LockRequest.of("42");
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Bench bench = new Bench();
    private final Engine engine = new Engine(
            bench.store,
            bench.time,
            WaitStrategy.jitteredBackoff(),
            new Callbacks(Runnable::run, Runnable::run, bench.time),
            new EventDispatcher(List.of()),
            new EngineSettings(
                    Duration.ofMinutes(5), new LocalQueueSettings(true, 100, 100), ReleaseMode.CONFIRMED, null));

    private LockWaiter acquisition() {
        return acquisition(WANTED);
    }

    private LockWaiter acquisition(LockRequest wanted) {
        LockDefaults defaults =
                new LockDefaults(Bench.WAIT_TIME, new LeaseTerms(Bench.TTL, true, null, Bench.COMMAND_TIMEOUT));
        return engine.acquire(defaults.terms(wanted), null);
    }

    @Test
    void workUnderALockIsLeftToEndForAsLongAsTheDrainingHasPatience() {
        LockWaiter ending = acquisition();
        bench.acquire().grants(7);
        LockWaiter staying = acquisition(LockRequest.of("43"));
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
    void drainingEndsAsSoonAsTheLastLockIsReleased() {
        LockWaiter acquisition = acquisition();
        bench.acquire().grants(7);
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        CompletableFuture<Void> drained = engine.drain(PATIENCE);
        assertThat(drained).isNotDone();
        CompletableFuture<Void> released = now(acquisition.result()).releaseAsync();
        assertThat(released).isCompleted();
        assertThat(drained).isCompleted();
        assertThat(now(acquisition.result()).lost().toCompletableFuture()).isNotDone();
        bench.advanceToTheLookAtPendingCalls();
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void aLockThatWasHandedOutJustBeforeIsLeftToItsHolderTooAndThenLostAloud() {
        LockWaiter acquisition = acquisition();
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
    void nothingIsHeldAfterTheLimitHoweverMuchPatienceThereWas() {
        LockHandle lock = bench.held();
        bench.client.drain(Duration.ofDays(1), Duration.ofMillis(1));
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.CLOSED);
    }

    @Test
    void noCallerGetsALockWhileAClientIsDrained() throws InterruptedException {
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
    void aDrainedClientCanBeUsedAgain() {
        bench.held();
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        bench.client.drain(Duration.ofSeconds(30));
        assertThat(bench.held().isHeld()).isTrue();
        assertThat(bench.store.isClosed()).isFalse();
    }

    @Test
    void whatIsTakenAfterTheLimitIsNotLostWhenTheRestOfTheDrainingComes() {
        bench.held();
        bench.client.drain(Duration.ofMillis(1));
        ScriptedCall silent = bench.release();
        LockHandle next = bench.held(LockRequest.of("7"));
        silent.frees();
        bench.advanceMillis(20);
        assertThat(next.isHeld()).isTrue();
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
        LockWaiter acquisition = acquisition();
        CompletableFuture<Void> drained = engine.drain(Duration.ZERO);
        assertThat(failure(LockUnavailableException.class, acquisition.result()).outcome())
                .isEqualTo(Outcome.CLOSED);
        assertThat(drained).isNotDone();
        bench.release().frees();
        assertThat(drained).isCompleted();
    }

    @Test
    void drainingWaitsForReleasesThatFailAndAreRepeated() {
        LockWaiter acquisition = acquisition();
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
        LockWaiter acquisition = acquisition();
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
    void drainingWaitsForAReleaseThatHasJustBegun() {
        HookedScheduler time = new HookedScheduler(bench.time);
        DefaultLockClient client = bench.settings().timeline(time).build();
        CompletableFuture<LockHandle> acquired = client.acquireAsync(WANTED);
        bench.acquire().grants(7);
        LockHandle lock = now(acquired);
        List<CompletableFuture<Void>> drained = new ArrayList<>();
        time.atNextLook(
                () -> lock.toString().contains("RELEASED"),
                () -> drained.add(client.engine().drain(PATIENCE)));
        CompletableFuture<Void> released = lock.releaseAsync();
        assertThat(drained).singleElement().satisfies(drain -> assertThat(drain).isNotDone());
        bench.store.calls(Verb.RELEASE).forEach(ScriptedCall::frees);
        assertThat(released).isCompleted();
        assertThat(drained).singleElement().satisfies(drain -> assertThat(drain).isCompleted());
    }

    @Test
    void whatWasGrantedWhileOthersWereReleasedIsLostAndFreedBeforeTheEnd() {
        LockWaiter first = acquisition();
        bench.acquire().grants(7);
        CompletableFuture<Void> drained = engine.drain(Duration.ZERO);
        ScriptedCall release = bench.release();
        LockWaiter late = acquisition(LockRequest.of("43"));
        bench.acquire().grants(8);
        release.frees();
        assertThat(now(first.result()).isHeld()).isFalse();
        assertThat(now(late.result()).isHeld()).isFalse();
        assertThat(drained).isNotDone();
        bench.release().frees();
        assertThat(drained).isCompleted();
    }
}
