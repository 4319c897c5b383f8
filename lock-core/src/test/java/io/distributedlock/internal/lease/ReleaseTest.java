package io.distributedlock.internal.lease;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockEvent;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.time.HookedScheduler;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a release tells its caller, and what is done when the store does not answer. */
class ReleaseTest {

    private static final LockRequest SHORT = LockRequest.of("42").withTtl(Duration.ofSeconds(3));
    private static final Duration PAST_ITS_END = Duration.ofSeconds(3);

    private final Bench bench = new Bench();

    @Test
    void aReleaseThatFreesTheLockIsOrderly() {
        LockHandle lock = bench.held();
        CompletableFuture<Void> released = lock.releaseAsync();
        assertThat(released).isNotDone();
        assertThat(bench.release().claim()).isEqualTo(bench.store.calls().get(0).claim());
        bench.release().frees();
        assertThat(released).isCompleted();
        assertThat(bench.client.unresolved()).isZero();
        assertThat(bench.client.held()).isEmpty();
        bench.advanceToTheLookAtPendingCalls();
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void aValidLockThatTheStoreDoesNotKnowWasLost() {
        LockHandle lock = bench.held();
        CompletableFuture<Void> released = lock.releaseAsync();
        bench.release().freesNothing();
        assertThat(failure(LockLostException.class, released).reason()).isEqualTo(LossReason.NOT_OWNER);
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aReleaseWithoutAReplyReturnsNormallyAfterOneCommandTimeoutAndIsRepeated() {
        LockHandle lock = bench.held();
        CompletableFuture<Void> released = lock.releaseAsync();
        bench.advance(Bench.COMMAND_TIMEOUT.minusNanos(1));
        assertThat(released).isNotDone();
        bench.advance(Duration.ofNanos(1));
        assertThat(released).isCompleted();
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
        assertThat(bench.client.unresolved()).isEqualTo(1);
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(2);
        bench.release().freesNothing();
        assertThat(bench.client.unresolved()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aReleaseThatFailsReturnsNormallyAndIsRepeated(Effect effect) {
        LockHandle lock = bench.held();
        CompletableFuture<Void> released = lock.releaseAsync();
        bench.release().fails(effect);
        assertThat(released).isCompleted();
        bench.release().fails(effect);
        bench.advanceMillis(50);
        bench.release().frees();
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aReleaseThatBlocksWaitsForTheStoreAndThrowsWhatItFinds() {
        LockHandle freed = bench.held();
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        freed.release();
        bench.store.never(Verb.RELEASE);
        LockHandle taken = bench.held();
        bench.store.always(Verb.RELEASE, ScriptedCall::freesNothing);
        assertThatThrownBy(taken::release)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("'42' was lost while it was held: the store does not know this holder");
    }

    @Test
    void closingAHandleReleasesIt() {
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        try (LockHandle lock = bench.held()) {
            assertThat(lock.isHeld()).isTrue();
        }
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void afterItsEndALockCanNotBeReleasedInOrderEvenIfNoTimerHasRun() {
        LockHandle lock = bench.held(SHORT);
        bench.time.pause(PAST_ITS_END);
        CompletableFuture<Void> released = lock.releaseAsync();
        assertThat(failure(LockLostException.class, released).reason()).isEqualTo(LossReason.DEADLINE);
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
        bench.release().freesNothing();
        bench.time.runDue();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void everyReleaseOfALostLockSaysSo() {
        LockHandle lock = bench.held(SHORT);
        bench.advance(PAST_ITS_END);
        LockLostException first = catchThrowableOfType(LockLostException.class, lock::release);
        LockLostException second = catchThrowableOfType(LockLostException.class, lock::release);
        assertThat(first).isNotSameAs(second);
        assertThat(second).hasMessage(first.getMessage());
    }

    @Test
    void aSecondReleaseSendsNothingAndEndsLikeTheFirst() {
        LockHandle lock = bench.held();
        CompletableFuture<Void> first = lock.releaseAsync();
        CompletableFuture<Void> second = lock.releaseAsync();
        assertThat(second).isNotDone();
        bench.release().frees();
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        lock.release();
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(1);
    }

    @Test
    void aSecondReleaseOfALockThatTurnedOutLostSaysSoToo() {
        LockHandle lock = bench.held();
        CompletableFuture<Void> first = lock.releaseAsync();
        bench.release().freesNothing();
        CompletableFuture<Void> second = lock.releaseAsync();
        assertThat(failure(LockLostException.class, first).reason()).isEqualTo(LossReason.NOT_OWNER);
        assertThat(failure(LockLostException.class, second).reason()).isEqualTo(LossReason.NOT_OWNER);
    }

    @Test
    void oneCallerCanNotEndAnotherCallersRelease() {
        LockHandle lock = bench.held();
        CompletableFuture<Void> first = lock.releaseAsync();
        CompletableFuture<Void> second = lock.releaseAsync();
        assertThat(first.cancel(true)).isTrue();
        assertThat(second).isNotDone();
        bench.release().frees();
        assertThat(second).isCompleted();
    }

    @Test
    void aLeaseThatEndsWhileTheReleaseIsUnderWayIsNoLoss() {
        LockHandle lock = bench.held(SHORT);
        bench.advanceMillis(2_800);
        CompletableFuture<Void> released = lock.releaseAsync();
        bench.advanceMillis(300);
        bench.release().frees();
        assertThat(released).isCompleted();
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void aLockThatMayHaveExpiredOnTheWayOfItsReleaseIsNoLossEither() {
        LockHandle lock = bench.held(SHORT);
        bench.advanceMillis(2_800);
        CompletableFuture<Void> released = lock.releaseAsync();
        bench.advanceMillis(300);
        bench.release().freesNothing();
        assertThat(released).isCompleted();
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aLockThatCanNotBeTakenLateNeedsNoSecondLook() {
        LockHandle lock = bench.held();
        CompletableFuture<Void> released = lock.releaseAsync();
        bench.release().releases(Release.of(true, false));
        assertThat(released).isCompleted();
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void callersFuturesCompleteOnTheirOwnExecutor() {
        Deque<Runnable> callers = new ArrayDeque<>();
        LockClient client = bench.settings().executor(callers::add).build();
        CompletableFuture<LockHandle> lock = client.acquireAsync(LockRequest.of("42"));
        bench.acquire().grants(7);
        assertThat(lock).isNotDone();
        callers.remove().run();
        CompletableFuture<Void> released = now(lock).releaseAsync();
        bench.release().frees();
        assertThat(released).isNotDone();
        callers.remove().run();
        assertThat(released).isCompleted();
    }

    @Test
    void aLockThatTheStoreDeniesInTheMomentOfItsReleaseIsToldAsLost() {
        HookedScheduler time = new HookedScheduler(bench.time);
        LockClient client = bench.settings().timeline(time).build();
        CompletableFuture<LockHandle> acquired = client.acquireAsync(LockRequest.of("42"));
        bench.acquire().grants(7);
        LockHandle lock = now(acquired);
        bench.advance(Bench.TTL.dividedBy(3));
        ScriptedCall renewal = bench.extend();
        time.atNextLook(() -> lock.toString().contains("RELEASED"), renewal::denies);
        CompletableFuture<Void> released = lock.releaseAsync();
        assertThat(renewal.isAnswered()).isTrue();
        assertThat(failure(LockLostException.class, released).reason()).isEqualTo(LossReason.NOT_OWNER);
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
        await().untilAsserted(() -> assertThat(bench.events).hasAtLeastOneElementOfType(LockEvent.Lost.class));
        assertThat(bench.events).doesNotHaveAnyElementsOfTypes(LockEvent.Released.class);
    }

    @Test
    void aLeaseThatRunsOutInASuspensionWhileTheReleaseIsUnderWayIsNoLoss() {
        LockHandle lock = bench.held(SHORT);
        bench.advanceMillis(1);
        CompletableFuture<Void> released = lock.releaseAsync();
        bench.time.suspend(PAST_ITS_END);
        bench.release().releases(new Release(Release.Outcome.ABSENT, true));
        assertThat(released).isCompletedWithValue(null);
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void aLeaseThatRanOutInASuspensionBeforeTheReleaseIsALoss() {
        LockHandle lock = bench.held(SHORT);
        bench.advanceMillis(1);
        bench.time.suspend(PAST_ITS_END);
        CompletableFuture<Void> released = lock.releaseAsync();
        bench.release().releases(new Release(Release.Outcome.ABSENT, true));
        assertThat(failure(LockLostException.class, released).reason()).isEqualTo(LossReason.ABSENT);
    }
}
