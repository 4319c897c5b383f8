package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Every way from one state of a lock to another. */
class LockStateTest {

    private static final Duration PERIOD = Bench.TTL.dividedBy(3);
    private static final Duration SAFE = Duration.ofMillis(29_398);

    private final Bench bench = new Bench();
    private final LockHandle lock = bench.held();

    private void failARenewal() {
        bench.store.always(Verb.EXTEND, call -> call.fails(Effect.REFUSED));
        bench.advance(PERIOD);
        assertThat(lock.state()).isEqualTo(LockState.AT_RISK);
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void aLockBeginsAsHeldAndStaysSoWhileItIsRenewed() {
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        bench.advance(Duration.ofHours(1));
        assertThat(lock.state()).isEqualTo(LockState.HELD);
    }

    @Test
    void aFailedRenewalPutsItAtRiskAndASuccessBringsItBack() {
        failARenewal();
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(Duration.ofSeconds(1));
        assertThat(lock.state()).isEqualTo(LockState.HELD);
    }

    @Test
    void aLockAtRiskIsLostWhenItsLeaseEnds() {
        failARenewal();
        bench.advance(SAFE.minus(PERIOD));
        assertThat(lock.state()).isEqualTo(LockState.LOST);
    }

    @Test
    void aLockAtRiskCanBeReleased() {
        failARenewal();
        lock.releaseAsync();
        assertThat(lock.state()).isEqualTo(LockState.RELEASED);
    }

    @Test
    void aRenewalThatIsLatePutsItAtRiskAlthoughNoTimerHasRunAndASuccessBringsItBack() {
        bench.time.pause(PERIOD.multipliedBy(9).dividedBy(10));
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        bench.time.pause(Bench.TTL.dividedBy(5));
        assertThat(lock.state()).isEqualTo(LockState.AT_RISK);
        assertThat(lock.isHeld()).isTrue();
        bench.time.runDue();
        assertThat(lock.state()).isEqualTo(LockState.AT_RISK);
        bench.extend().confirms();
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        assertThat(bench.client.monitor().statistics().renewalLag())
                .isBetween(Duration.ofSeconds(5), Duration.ofMillis(6_500));
        await().until(() -> bench.events.stream().anyMatch(LockEvent.RenewalLate.class::isInstance));
    }

    @Test
    void aLittleLagIsNoRisk() {
        bench.time.pause(PERIOD.plusSeconds(3));
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        bench.time.runDue();
        bench.extend().confirms();
        assertThat(bench.client.monitor().statistics().renewalLag())
                .isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4));
    }

    @Test
    void aStoreThatWasAwayPutsItAtRiskUntilItHasConfirmedIt() {
        bench.store.isReachableAgain();
        bench.time.runDue();
        assertThat(lock.state()).isEqualTo(LockState.AT_RISK);
        bench.extend().confirms();
        assertThat(lock.state()).isEqualTo(LockState.HELD);
    }

    @Test
    void aStoreThatWasAwayAndLostItEndsIt() {
        bench.store.isReachableAgain();
        bench.time.runDue();
        bench.extend().denies();
        assertThat(lock.state()).isEqualTo(LockState.LOST);
    }

    @Test
    void lostIsFinal() {
        bench.advance(SAFE);
        assertThat(lock.state()).isEqualTo(LockState.LOST);
        bench.store.calls(Verb.EXTEND).forEach(ScriptedCall::confirms);
        assertThat(lock.releaseAsync()).isCompletedExceptionally();
        assertThat(lock.state()).isEqualTo(LockState.LOST);
    }

    @Test
    void releasedIsFinal() {
        lock.releaseAsync();
        assertThat(lock.state()).isEqualTo(LockState.RELEASED);
        bench.release().frees();
        bench.advance(SAFE);
        assertThat(lock.state()).isEqualTo(LockState.RELEASED);
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void aReleaseThatFindsTheLockTakenAwayIsALoss() {
        lock.releaseAsync();
        bench.release().freesNothing();
        assertThat(lock.state()).isEqualTo(LockState.LOST);
    }

    @Test
    void pastItsLeaseALockIsLostAlthoughNoTimerHasRun() {
        bench.time.pause(SAFE);
        assertThat(lock.state()).isEqualTo(LockState.LOST);
    }

    @Test
    void aHolderCanAskForMoreThanBeingHeld() {
        lock.requireHeld(SAFE);
        bench.time.pause(Duration.ofSeconds(9));
        assertThatThrownBy(() -> lock.requireHeld(Duration.ofSeconds(25)))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("'42' is safely held for 20398 ms more, but the work needs 25000 ms");
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        bench.time.pause(SAFE);
        assertThatThrownBy(() -> lock.requireHeld(Duration.ZERO))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("its lease ran out, because no renewal was confirmed within its ttl of 30000 ms")
                .hasMessageNotContaining("explicit");
    }

    @Test
    void aHolderWithATtlThatIsLostIsAdvisedToRaiseIt() {
        LockHandle lasting = bench.held(LockRequest.of("short").withTtl(Duration.ofSeconds(2)));
        bench.time.pause(Duration.ofSeconds(3));
        assertThatThrownBy(lasting::requireHeld)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("the work took longer than its ttl of 2000 ms")
                .hasMessageContaining("It was acquired 3000 ms ago. Raise the ttl");
    }

    @Test
    void theCallerThatUsesAReleasedLockIsToldSo() {
        lock.releaseAsync();
        assertThatThrownBy(lock::requireHeld)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("its holder has released it");
    }
}
