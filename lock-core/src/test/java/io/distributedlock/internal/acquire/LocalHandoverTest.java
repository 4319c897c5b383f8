package io.distributedlock.internal.acquire;

import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.time.TickingScheduler;
import io.distributedlock.spi.AcquireResult.Granted;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What becomes of a lock whose holder has finished while others stand in line: it is passed on, or goes back to the store. */
class LocalHandoverTest extends WaitQueueTest {

    @Test
    void aReleaseHandsTheLockToTheNextCallerWithoutACommand() {
        LockHandle first = holding();
        CompletableFuture<LockHandle> second = ask();
        first.release();
        bench.time.runDue();
        LockHandle next = now(second);
        assertThat(first.isHeld()).isFalse();
        assertThat(first.state()).isEqualTo(LockState.RELEASED);
        assertThat(next.isHeld()).isTrue();
        assertThat(next.fencingToken()).isEqualTo(first.fencingToken() + 1);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);

        freeAll();
        next.release();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void afterItsSliceTheLockGoesBackToTheStoreAndTheNextCallerQueuesRightBehind() {
        LockHandle first = holding();
        CompletableFuture<LockHandle> second = ask();
        bench.advance(WaitQueue.SLICE);
        first.releaseAsync();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE, Verb.ACQUIRE);
        bench.acquire().grants(8);
        freeAll();
        now(second).release();
    }

    @Test
    void afterTheLastTurnThatATokenHasRoomForTheStoreIsAskedForANewOne() {
        LockHandle lock = holding();
        for (int turn = 1; turn <= LockHold.MAX_TURN; turn++) {
            CompletableFuture<LockHandle> next = ask();
            lock.release();
            bench.time.runDue();
            lock = now(next);
        }
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
        CompletableFuture<LockHandle> next = ask();
        lock.releaseAsync();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE, Verb.ACQUIRE);
        freeAll();
        next.cancel(false);
    }

    /** Two callers with this ttl, of which the first one holds the lock for a moment. */
    private LockHandle handedOver(Duration ttl) {
        CompletableFuture<LockHandle> first = line.acquireAsync(WANTED.withTtl(ttl));
        bench.acquire().grants(7);
        CompletableFuture<LockHandle> second = line.acquireAsync(WANTED.withTtl(ttl));
        bench.advanceMillis(1);
        now(first).releaseAsync();
        bench.time.runDue();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
        return now(second);
    }

    @Test
    void anExplicitTtlIsHandedOverWithoutACommandAndCountsFromThenOn() {
        LockHandle lock = handedOver(Duration.ofSeconds(3));
        bench.advanceMillis(980);
        assertThat(bench.extend().ttl()).isBetween(Duration.ofMillis(2_000), Duration.ofMillis(2_050));
        bench.extend().confirms();
        bench.advanceMillis(1_850);
        assertThat(lock.isHeld()).isTrue();
        bench.advanceMillis(150);
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
        assertThat(bench.store.calls(Verb.EXTEND)).hasSize(1);
        freeAll();
    }

    @Test
    void aShortTurnWithAnExplicitTtlThatWasHandedOverCostsNoCommandButItsRelease() {
        LockHandle lock = handedOver(Duration.ofSeconds(10));
        bench.advanceMillis(1_500);
        freeAll();
        lock.release();
        bench.advance(Duration.ofMinutes(1));
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void aLockWithAnotherTtlComesFromTheStore() {
        LockHandle first = holding();
        CompletableFuture<LockHandle> second = line.acquireAsync(WANTED.withTtl(LEASE_ENDS));
        first.releaseAsync();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE, Verb.ACQUIRE);
        freeAll();
        second.cancel(false);
    }

    @Test
    void anExplicitTtlThatItsHolderHasExtendedIsNotHandedOver() {
        CompletableFuture<LockHandle> first = line.acquireAsync(WANTED.withTtl(LEASE_ENDS));
        bench.acquire().grants(7);
        now(first).extendAsync(Duration.ofHours(1));
        bench.extend().confirms();
        CompletableFuture<LockHandle> second = line.acquireAsync(WANTED.withTtl(LEASE_ENDS));
        now(first).releaseAsync();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.EXTEND, Verb.RELEASE, Verb.ACQUIRE);
        freeAll();
        second.cancel(false);
    }

    @Test
    void aLockAtRiskIsNotPassedOn() {
        LockHandle first = holding();
        CompletableFuture<LockHandle> second = ask();
        bench.store.isReachableAgain();
        bench.advance(Duration.ZERO);
        assertThat(first.state()).isEqualTo(LockState.AT_RISK);
        first.releaseAsync();
        assertThat(second).isNotDone();
        assertThat(bench.store.verbs()).contains(Verb.RELEASE);
        freeAll();
        second.cancel(false);
    }

    /** It was worth handing out to the caller whose try was answered late; the next one begins with a lease of its own. */
    @Test
    void aLeaseWithLessThanAThirdOfItsFirstPartLeftIsNotHandedOver() {
        Duration ttl = Duration.ofSeconds(4);
        CompletableFuture<LockHandle> first = line.acquireAsync(WANTED.withTtl(ttl));
        bench.acquire().grantsAgain(7, Duration.ofMillis(1_000));
        CompletableFuture<LockHandle> second = line.acquireAsync(WANTED.withTtl(ttl));
        now(first).releaseAsync();
        bench.time.runDue();
        assertThat(second).isNotDone();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE, Verb.ACQUIRE);
        freeAll();
        second.cancel(false);
    }

    /** Between the two looks at the lease there may be too little left of it. */
    @Test
    void aHandOverThatComesToNothingLeavesNoCallerWaiting() {
        for (int step = 0; step < 40; step++) {
            Bench fresh = new Bench();
            TickingScheduler ticking = new TickingScheduler(fresh.time);
            LockClient client =
                    fresh.settings().barging(false).timeline(ticking).build();
            CompletableFuture<LockHandle> first = client.acquireAsync(WANTED);
            CompletableFuture<Optional<Granted>> news = fresh.acquire().queues(LEASE_ENDS);
            CompletableFuture<LockHandle> second = client.acquireAsync(WANTED);
            Duration aThirdIsLeft = Duration.ofNanos((long) ((1_102_000_000L + step * 100_000L) / 0.99));
            news.complete(Optional.of(new Granted(7, aThirdIsLeft, true)));
            fresh.store.always(Verb.RELEASE, ScriptedCall::frees);
            fresh.store.always(Verb.EXTEND, ScriptedCall::confirms);
            fresh.store.always(Verb.ACQUIRE, call -> call.grants(9));
            ticking.tick(Duration.ofNanos(100_000));
            now(first).releaseAsync();
            ticking.tick(Duration.ZERO);
            fresh.advance(Duration.ofSeconds(4));
            now(second).release();
        }
    }

    @Test
    void ifTheLockIsLostTheNextCallerDealsWithTheStoreAtOnce() {
        LockHandle lock = holding();
        CompletableFuture<LockHandle> next = ask();
        lock.extendAsync(Bench.TTL);
        bench.extend().denies();
        assertThat(lock.state()).isEqualTo(LockState.LOST);
        bench.acquire().grants(8);
        freeAll();
        now(next).release();
    }
}
