package io.distributedlock.internal.renewal;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks that were renewed together are renewed together again, and none of them depends on the others for that. */
@Timeout(60)
class RenewalBatchTest {

    private static final int LOCKS = 40;
    private static final Duration PERIOD = Bench.TTL.dividedBy(3);

    private final Bench bench = new Bench();
    private List<LockHandle> locks = List.of();

    @BeforeEach
    void renewTogether() {
        locks = bench.heldTogether(LOCKS);
        bench.time.runDue();
        assertThat(renewals()).isEqualTo(LOCKS);
    }

    private int renewals() {
        return bench.store.calls(Verb.EXTEND).size();
    }

    @Test
    void oneTimerLooksAtThemAll() {
        bench.advance(PERIOD.multipliedBy(5));
        assertThat(bench.time.timers()).isLessThanOrEqualTo(2);
        assertThat(renewals()).isBetween(LOCKS * 6, LOCKS * 8);
        assertThat(locks).allMatch(LockHandle::isHeld);
    }

    @Test
    void thoseThatStayGoOnWhenOthersAreReleased() {
        locks.stream().skip(3).forEach(LockHandle::releaseAsync);
        bench.advance(Duration.ofHours(1));
        assertThat(locks.stream().limit(3)).allMatch(lock -> lock.state() == LockState.HELD);
        assertThat(renewals() - LOCKS).isBetween(3 * 350, 3 * 450);
    }

    @Test
    void oneThatIsLostTakesNoOtherAlong() {
        bench.store.always(Verb.EXTEND, call -> {
            if (call.claim().id().endsWith("lock-7")) {
                call.denies();
            } else {
                call.confirms();
            }
        });
        bench.advance(Duration.ofHours(1));
        assertThat(locks.get(7).lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
        assertThat(locks.stream().filter(LockHandle::isHeld)).hasSize(LOCKS - 1);
    }

    @Test
    void oneWithoutAnAnswerIsAskedForAgainAloneAndJoinsOthersLater() {
        bench.store.always(Verb.EXTEND, call -> {
            if (!call.claim().id().endsWith("lock-7")) {
                call.confirms();
            }
        });
        bench.advance(PERIOD.plusSeconds(1));
        assertThat(locks.get(7).state()).isEqualTo(LockState.AT_RISK);
        assertThat(locks.stream().filter(lock -> lock.state() == LockState.HELD))
                .hasSize(LOCKS - 1);
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(Duration.ofHours(1));
        assertThat(locks).allMatch(lock -> lock.state() == LockState.HELD);
    }

    @Test
    void oneThatMayNotBeHeldForEverEndsInTime() {
        LockHandle limited = bench.held(LockRequest.of("orders", "limited").withMaxHold(PERIOD.multipliedBy(2)));
        bench.store.isReachableAgain();
        bench.time.runDue();
        bench.advance(PERIOD.multipliedBy(2));
        assertThat(limited.lost().toCompletableFuture()).isCompletedWithValue(LossReason.MAX_HOLD);
        assertThat(locks).allMatch(LockHandle::isHeld);
    }

    @Test
    void theyAreToldOfTheirEndWhenTheStoreStaysSilent() {
        bench.store.never(Verb.EXTEND);
        bench.advance(Bench.TTL);
        assertThat(locks)
                .allSatisfy(lock ->
                        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE));
    }

    @Test
    void whateverIsThrownAtOneLookTheNextOneComes() {
        bench.store.whenAskedToPrepare(() -> {
            throw new IllegalStateException("prepare");
        });
        bench.store.isReachableAgain();
        bench.time.runDue();
        assertThat(locks).allMatch(lock -> lock.state() == LockState.AT_RISK);
        bench.store.whenAskedToPrepare(() -> {});
        bench.advance(Duration.ofHours(1));
        assertThat(locks).allMatch(lock -> lock.state() == LockState.HELD);
    }
}
