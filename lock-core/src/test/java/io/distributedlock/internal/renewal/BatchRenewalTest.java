package io.distributedlock.internal.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.Bench;
import io.distributedlock.LockEvent.LongHold;
import io.distributedlock.LockHandle;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall.Verb;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks that were confirmed all at once: each has what all have, and takes it along when it goes its own way. */
@Timeout(60)
class BatchRenewalTest {

    private static final int LOCKS = 20;
    private static final Duration PERIOD = Bench.TTL.dividedBy(3);
    /** Less 302 ms for the drift of clocks, and 300 ms to notify the holder in. */
    private static final Duration SAFE_TTL = Bench.TTL.minusMillis(602);

    private final Bench bench = new Bench();
    private List<LockHandle> locks = List.of();

    @BeforeEach
    void renewAsOne() {
        locks = bench.heldTogether(LOCKS);
        bench.advance(PERIOD.multipliedBy(5));
        assertThat(bench.store.toldAsOne()).isPositive();
    }

    private int renewals() {
        return bench.store.calls(Verb.EXTEND).size();
    }

    private static boolean isFresh(LockHandle lock) {
        return lock.state() == LockState.HELD && lock.remaining().compareTo(PERIOD) > 0;
    }

    @Test
    void eachHasTheTimeThatWasConfirmedToAll() {
        int before = bench.store.toldAsOne();
        for (int i = 0; i < 1_000; i++) {
            bench.advance(Duration.ofSeconds(1));
            assertThat(locks).allMatch(BatchRenewalTest::isFresh);
        }
        assertThat(bench.store.toldAsOne() - before).isGreaterThan(90);
        assertThat(bench.client.monitor().statistics().renewals()).isEqualTo(renewals());
    }

    @Test
    void oneThatLeavesWithoutAnAnswerKeepsWhatWasConfirmedToAll() {
        bench.store.always(Verb.EXTEND, call -> {
            if (!call.claim().id().endsWith("lock-7")) {
                call.confirms();
            }
        });
        int asked = renewals();
        while (renewals() == asked) {
            bench.time.advanceToNextTimer();
        }
        bench.advance(Bench.COMMAND_TIMEOUT);
        assertThat(locks.get(7).state()).isEqualTo(LockState.AT_RISK);
        assertThat(locks.get(7).remaining()).isGreaterThan(PERIOD);
        bench.advance(Bench.TTL);
        assertThat(locks.get(7).lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
        assertThat(locks.stream().filter(BatchRenewalTest::isFresh)).hasSize(LOCKS - 1);
    }

    @Test
    void oneThatIsReleasedWhileTheAnswerIsOnItsWayIsNotAskedForAgain() {
        bench.store.meanwhile(() -> locks.get(7).releaseAsync());
        bench.advance(PERIOD);
        assertThat(locks.get(7).state()).isEqualTo(LockState.RELEASED);
        long asked = renewalsOf("lock-7");
        bench.advance(Duration.ofHours(1));
        assertThat(renewalsOf("lock-7")).isEqualTo(asked);
        assertThat(locks.stream().filter(BatchRenewalTest::isFresh)).hasSize(LOCKS - 1);
    }

    private long renewalsOf(String key) {
        return bench.store.calls(Verb.EXTEND).stream()
                .filter(call -> call.claim().id().endsWith(key))
                .count();
    }

    @Test
    void theCallerThatIsAskedForAnewWhileTheAnswerIsOnItsWayGoesOn() {
        bench.store.meanwhile(bench.store::isReachableAgain);
        bench.advance(Duration.ofHours(1));
        assertThat(locks).allMatch(BatchRenewalTest::isFresh);
    }

    @Test
    void whatIsConfirmedToAllCountsFromWhenItWasAskedFor() {
        Duration onTheWay = Duration.ofMillis(200);
        bench.store.meanwhile(() -> bench.time.pause(onTheWay));
        int asked = renewals();
        while (renewals() == asked) {
            bench.time.advanceToNextTimer();
        }
        assertThat(locks).extracting(LockHandle::remaining).containsOnly(SAFE_TTL.minus(onTheWay));
    }

    @Test
    void theyEndTogetherWhenTheStoreStaysSilent() {
        bench.store.never(Verb.EXTEND);
        Duration left = locks.get(0).remaining();
        bench.advance(left.minusNanos(1));
        assertThat(locks).allMatch(LockHandle::isHeld);
        bench.advance(Duration.ofNanos(1));
        assertThat(locks).noneMatch(LockHandle::isHeld);
    }

    @Test
    void aPauseOfTheWholeProcessEndsThemAtTheFirstQuestion() {
        bench.time.pause(Bench.TTL);
        assertThat(locks).noneMatch(LockHandle::isHeld);
        assertThat(locks).allMatch(lock -> lock.state() == LockState.LOST);
    }

    @Test
    void oneThatWasSeenNotHeldWhileTheAnswerWasOnItsWayIsLostAndTheOthersAreNot() {
        LockHandle seen = locks.get(3);
        bench.store.meanwhile(() -> {
            bench.time.pause(Duration.ofSeconds(25));
            assertThat(seen.isHeld()).isFalse();
        });
        int asked = renewals();
        while (renewals() == asked) {
            bench.time.advanceToNextTimer();
        }
        assertThat(seen.isHeld()).isFalse();
        assertThat(seen.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
        assertThat(locks).filteredOn(LockHandle::isHeld).hasSize(LOCKS - 1);
    }

    @Test
    void aMachineThatWasSuspendedIsNoticedAlthoughNoLockWasConfirmedAlone() {
        bench.time.suspend(Bench.TTL);
        assertThat(locks).noneMatch(LockHandle::isHeld);
        bench.advance(PERIOD.multipliedBy(4));
        assertThat(locks).allMatch(BatchRenewalTest::isFresh);
    }

    @Test
    void eachThatLastsLongIsReportedOnce() {
        bench.advance(Duration.ofMinutes(15));
        await().untilAsserted(() -> assertThat(bench.events.stream().filter(LongHold.class::isInstance))
                .hasSize(LOCKS));
    }
}
