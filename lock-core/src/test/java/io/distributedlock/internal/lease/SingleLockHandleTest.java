package io.distributedlock.internal.lease;

import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.time.HookedScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a holder can rely on, by the clock alone. */
class SingleLockHandleTest {

    private static final LockRequest SHORT = LockRequest.of("42").withTtl(Duration.ofSeconds(3));
    /** 3 s, less a hundredth and 2 ms for clock drift, less 100 ms to be told in time. */
    private static final Duration SAFE = Duration.ofMillis(3_000 - 32 - 100);

    private final Bench bench = new Bench();

    private static void assertLost(LockHandle lock, LossReason reason) {
        assertThat(lock.isHeld()).isFalse();
        assertThat(lock.remaining()).isZero();
        assertThat(catchThrowableOfType(LockLostException.class, lock::requireHeld)
                        .reason())
                .isEqualTo(reason);
    }

    @Test
    void theLeaseCountsFromBeforeTheCommandWasSentAndEndsBeforeTheStoresDoes() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(SHORT);
        bench.advanceMillis(400);
        bench.acquire().grants(7);
        assertThat(now(lock).remaining()).isEqualTo(SAFE.minusMillis(400));
    }

    @Test
    void aHolderKnowsItsNameItsKeyAndItsToken() {
        LockHandle lock = bench.held(LockRequest.of("orders", "1/2"));
        assertThat(lock.name()).isEqualTo("orders");
        assertThat(lock.key()).isEqualTo("1/2");
        assertThat(lock.fencingToken()).isEqualTo(7L << 10);
        assertThat(lock).hasToString("Lock[orders:1/2, HELD]");
        lock.requireHeld();
    }

    @Test
    void theTokenStaysTheSameWhateverHappens() {
        LockHandle lock = bench.held(SHORT);
        bench.advance(SAFE);
        assertThat(lock.fencingToken()).isEqualTo(7L << 10);
    }

    @Test
    void thatALockIsOverIsKnownFromTheClockAlthoughNoTimerHasRun() {
        LockHandle lock = bench.held(SHORT);
        bench.time.pause(SAFE.minusNanos(1));
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.remaining()).isEqualTo(Duration.ofNanos(1));
        bench.time.pause(Duration.ofNanos(1));
        assertLost(lock, LossReason.DEADLINE);
    }

    @Test
    void theHolderIsToldWhileTheStoreStillKeepsTheLock() {
        LockHandle lock = bench.held(SHORT);
        bench.advance(SAFE.minusNanos(1));
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
        bench.advance(Duration.ofNanos(1));
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
        assertThat(bench.time.elapsed()).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    void theHolderIsToldOnceAndOnlyThenIsTheLockFreed() {
        LockHandle lock = bench.held(SHORT);
        List<String> order = new ArrayList<>();
        bench.store.always(Verb.RELEASE, call -> order.add("freed"));
        lock.lost().thenAccept(reason -> order.add("told"));
        bench.advance(SAFE);
        assertThat(order).containsExactly("told", "freed");
        bench.store.calls(Verb.RELEASE).forEach(ScriptedCall::frees);
        bench.advance(Duration.ofMinutes(1));
        assertThat(order).containsExactly("told", "freed");
        assertThat(bench.client.held()).isEmpty();
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void aQuestionEndsNothingButTheTimerDoes() {
        LockHandle lock = bench.held(SHORT);
        bench.time.pause(SAFE);
        assertThat(lock.isHeld()).isFalse();
        assertThat(lock.state()).isEqualTo(LockState.LOST);
        assertLost(lock, LossReason.DEADLINE);
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
        bench.time.runDue();
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
        bench.release().frees();
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(1);
    }

    @Test
    void aQuestionAfterMaxHoldEndsNothingButTheTimerDoes() {
        LockHandle lock = bench.held(LockRequest.of("42").withMaxHold(Duration.ofSeconds(2)));
        bench.time.pause(Duration.ofSeconds(2));
        assertLost(lock, LossReason.MAX_HOLD);
        assertThat(lock.state()).isEqualTo(LockState.LOST);
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
        bench.time.runDue();
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.MAX_HOLD);
    }

    @Test
    void aLockThatWasNotHeldAnyMoreIsLostByALateConfirmation() {
        LockHandle lock = bench.held();
        bench.advance(Duration.ofSeconds(10));
        ScriptedCall renewal = bench.extend();
        bench.time.pause(Duration.ofSeconds(20));
        assertThat(lock.remaining()).isZero();
        renewal.confirms();
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
        assertThat(lock.isHeld()).isFalse();
        bench.release().frees();
    }

    @Test
    void oncePausedPastItsEndALockDoesNotComeBackByALateRenewal() {
        LockHandle lock = bench.held();
        bench.advance(Duration.ofSeconds(10));
        ScriptedCall renewal = bench.extend();
        bench.time.pause(Duration.ofSeconds(20));
        assertLost(lock, LossReason.DEADLINE);
        renewal.confirms();
        assertLost(lock, LossReason.DEADLINE);
        bench.time.runDue();
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
    }

    @Test
    void aRenewalThatWasConfirmedWhileNoCallerLookedIsAsGoodAsAny() {
        LockHandle lock = bench.held();
        bench.advance(Duration.ofSeconds(10));
        ScriptedCall renewal = bench.extend();
        bench.time.pause(Duration.ofSeconds(20));
        renewal.confirms();
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.remaining())
                .isEqualTo(Duration.ofMillis(29_398).minus(bench.time.elapsed().minus(renewal.sentAt())));
    }

    @Test
    void aLossThatWasFoundOutByTheStoreHasItsReason() {
        LockHandle lock = bench.held();
        bench.advance(Duration.ofSeconds(10));
        bench.extend().denies();
        assertLost(lock, LossReason.NOT_OWNER);
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
        assertThat(lock).hasToString("Lock[42, LOST]");
    }

    @Test
    void aLockThatTheStoreDeniedIsReleasedWhenTheStoreComesBackPerhapsWithOlderData() {
        bench.held();
        bench.advance(Duration.ofSeconds(10));
        bench.extend().denies();
        bench.advance(Duration.ofSeconds(2));
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
        bench.store.isReachableAgain();
        bench.advance(Duration.ofSeconds(2));
        bench.release().freesNothing();
    }

    @Test
    void noCallerCanCompleteTheLossSignalFromOutside() {
        LockHandle lock = bench.held(SHORT);
        lock.lost().toCompletableFuture().complete(LossReason.NOT_OWNER);
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void aReleasedLockIsOverWithoutALoss() {
        LockHandle lock = bench.held(SHORT);
        CompletableFuture<Void> released = lock.releaseAsync();
        assertThat(lock.isHeld()).isFalse();
        assertThat(lock.remaining()).isZero();
        assertThatThrownBy(lock::requireHeld).isInstanceOf(LockLostException.class);
        bench.time.pause(SAFE);
        assertThat(lock.isHeld()).isFalse();
        bench.release().frees();
        assertThat(released).isCompleted();
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void twoLocksOfOneClientHaveNothingToDoWithEachOther() {
        LockHandle lost = bench.held(SHORT);
        LockHandle kept = bench.held(LockRequest.of("other"));
        bench.advance(SAFE);
        assertThat(lost.isHeld()).isFalse();
        assertThat(kept.isHeld()).isTrue();
        assertThat(bench.client.held()).containsExactly(kept);
    }

    /** The store confirms the lock again at any of the looks at the clock of which the answer consists. */
    @Test
    void aQuestionForATokenIsAnsweredWheneverADoubtAboutTheLockEnds() {
        for (int look = 1; look <= 10; look++) {
            Bench other = new Bench();
            HookedScheduler clock = new HookedScheduler(other.time);
            LockClient client = other.settings().timeline(clock).build();
            CompletableFuture<LockHandle> lock = client.acquireAsync(LockRequest.of("42"));
            other.acquire().grants(0);
            other.time.suspend(Bench.TTL);
            assertThat(now(lock).isHeld()).isFalse();
            other.time.runDue();
            AtomicInteger looks = new AtomicInteger(look);
            clock.atNextLook(
                    () -> looks.decrementAndGet() == 0, () -> other.extend().confirms());
            assertThat(now(lock).fencingTokenAsync()).isDone();
        }
    }
}
