package io.distributedlock.testkit.specification;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.check.HistoryBuilder;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.EventKind;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class ConformanceTests {
    private final HistoryBuilder story = new HistoryBuilder();

    @Test
    void holdsOneAfterAnotherConform() {
        story.call("p1", 0, "a").granted(10, 1).released(20, 22);
        story.call("p2", "k", 5, 100, "b").granted(21, 2).released(30, 31);
        assertConforms();
    }

    @Test
    void twoWhoBelieveAtOnceAreRejected() {
        story.call("p1", 0, "a").granted(10, 1).released(30, 32);
        story.call("p2", "k", 5, 100, "b").granted(29, 2).released(40, 41);
        assertRejected("2 believe in the lock, and no order of steps gives it to them");
    }

    @Test
    void aLockThatTwoShareConforms() {
        story.reader("p1", 0, "a").granted(10, 1).released(30, 32);
        story.reader("p2", 5, "b").granted(20, 2).released(40, 41);
        story.shares(25, "ab", 500);
        assertConforms();
    }

    @Test
    void aRefusalByACallWhoseHoldIsStillUnderWayConforms() {
        story.call("p1", "k", 0, 100, "a").granted(50, 1).released(60, 61);
        story.call("p2", 10, "b").then(EventKind.HELD_BY_OTHER, 20);
        assertConforms();
    }

    @Test
    void aRefusalWhileNoOtherCanHaveTheLockIsRejected() {
        story.call("p1", 2_000, "a").granted(2_010, 1).released(2_020, 2_021);
        story.call("p2", 10, "b").then(EventKind.HELD_BY_OTHER, 20);
        assertRejected("refused, and no order of steps gives another call the lock meanwhile");
    }

    @Test
    void aWaiterThatWantsTheLockAloneKeepsSharesOutForHalfASecondAfterItsLastTry() {
        story.reader("p1", 0, "a").granted(10, 1).released(2_000, 2_001);
        story.call("p2", "k", 20, 100, "b").then(EventKind.HELD_BY_OTHER, 120);
        story.reader("p3", 600, "c").then(EventKind.HELD_BY_OTHER, 610);
        assertConforms();
    }

    @Test
    void aTryThatIsExecutedAfterItsCallWasInterruptedKeepsSharesOutFromThenOn() {
        story.fault(15, 700, "", Effect.REQUESTS_LATE);
        story.reader("p1", 0, "a").granted(10, 1).released(2_000, 2_001);
        story.call("p2", "k", 20, 100, "b").then(EventKind.INTERRUPTED, 22);
        story.reader("p3", 702, "c").then(EventKind.HELD_BY_OTHER, 710);
        assertConforms();
    }

    @Test
    void aShareThatIsRefusedLaterThanThatIsRejected() {
        story.reader("p1", 0, "a").granted(10, 1).released(2_000, 2_001);
        story.call("p2", "k", 20, 100, "b").then(EventKind.HELD_BY_OTHER, 120);
        story.reader("p3", 622, "c").then(EventKind.HELD_BY_OTHER, 630);
        assertRejected("refused, and no order of steps gives another call the lock meanwhile");
    }

    @Test
    void aTokenBelowThatOfAnEarlierHoldIsRejected() {
        story.call("p1", 0, "a").granted(10, 7).released(20, 22);
        story.call("p2", "k", 5, 100, "b").granted(30, 6).released(40, 41);
        assertRejected("1 believe in the lock, and no order of steps gives it to them");
    }

    @Test
    void aTokenIsComparedInTheOrderOfTheHoldsAndNotOfTheRecords() {
        story.fault(5, 400, "p1", Effect.CLIENT_PAUSED);
        story.call("p1", 0, "a").granted(390, 7).lost(391, "DEADLINE");
        story.call("p2", "k", 200, 100, "b").granted(210, 8).released(220, 221);
        assertConforms();
    }

    @Test
    void aLockThatWasLostBeforeItsCallReturnedMayBeAnothersByThen() {
        story.call("p1", "k", 0, 1_000, "a").granted(390, 7).lost(390, "DEADLINE");
        story.call("p2", "k", 200, 100, "b").granted(210, 8).released(220, 221);
        assertConforms();
    }

    @Test
    void aLockThatIsLostAtItsReturnForAnotherReasonThanItsAgeIsNotAnothersBefore() {
        story.call("p1", "k", 0, 1_000, "a").granted(390, 7).lost(390, "FORCED");
        story.call("p2", "k", 200, 100, "b").granted(210, 8).released(220, 221);
        assertRejected("granted, and no order of steps gives this call the lock");
    }

    @Test
    void aLockThatItsCallerFoundHeldIsNotAnothersBefore() {
        story.call("p1", "k", 0, 1_000, "a").granted(390, 7).lost(391, "DEADLINE");
        story.call("p2", "k", 200, 100, "b").granted(210, 8).released(220, 221);
        assertRejected("1 believe in the lock, and no order of steps gives it to them");
    }

    @Test
    void aLeaseThatEndedBeforeItsReplyCameMayBeGrantedAgain() {
        story.call("p1", "k", 0, 1_000, "a").granted(900, 9).released(910, 911);
        story.sample(100, "a", 50);
        story.call("p2", 200, "b").granted(210, 3).released(220, 221);
        assertConforms();
    }

    @Test
    void aHolderThatBelievesAfterItsLeaseHasEndedIsRejected() {
        story.call("p1", 0, "a").granted(10, 1).lost(503, "DEADLINE");
        story.sample(500, "", 0);
        assertRejected("the store had no owner between");
    }

    @Test
    void lostStateExcusesABeliefUntilItHasToBeDetected() {
        story.fault(100, 110, "", Effect.STATE_DESTROYED);
        story.call("p1", 0, "a").granted(10, 1).lost(400, "NOT_OWNER");
        story.call("p2", "k", 105, 100, "b").granted(120, 2).released(500, 501);
        assertConforms();
    }

    @Test
    void anOwnerThatNoCallUsesAnyMoreIsRejectedAfterItsTime() {
        story.call("p1", 0, "a").granted(10, 1).released(20, 22);
        story.sample(2_000, "a", 500);
        assertRejected("the store had [aaaaaaaa] between");
    }

    @Test
    void aLeaseThatWasPassedOnWithinAProcessKeepsItsOwner() {
        story.call("p1", 0, "a").granted(10, 1).released(20, 22);
        story.call("p1", "k", 5, 100, "").granted(21, 2).released(2_000, 2_001);
        story.sample(1_900, "a", 300);
        assertConforms();
    }

    @Test
    void anOwnerOfAnotherProcessIsNoneThatWasPassedOn() {
        story.call("p1", 0, "a").granted(10, 1).released(20, 22);
        story.call("p2", "k", 5, 100, "").granted(21, 2).released(2_000, 2_001);
        story.sample(1_900, "a", 300);
        assertRejected("the store had [aaaaaaaa] between");
    }

    @Test
    void aCallThatIsReleasedAndLostIsRejected() {
        story.call("p1", 0, "a").granted(10, 1).released(20, 22).lost(23, "DEADLINE");
        assertRejected("LOST when the call was RELEASED");
    }

    @Test
    void aCallThatIsAnsweredTooLateIsRejected() {
        story.call("p1", "k", 0, 100, "a").granted(360, 1).released(370, 371);
        assertRejected("answered after 360 of at most 350 ms");
    }

    /** Once the state is lost, each of them may have had the lock and have lost it: 2^40 sets of callers. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
    void aReplayEndsIfManyCallersMayHaveHadTheLockInAnyOrder() {
        story.fault(100, 400, "", Effect.STATE_DESTROYED);
        for (int call = 0; call < 40; call++) {
            story.call("p" + call, "k", call, 1_000, "").granted(500 + call, 0).released(600, 601);
        }
        assertConforms();
    }

    private void assertConforms() {
        assertThat(replayed().rejections()).isEmpty();
    }

    private void assertRejected(String message) {
        assertThat(replayed().rejections()).anyMatch(each -> each.message().startsWith(message));
        assertThat(replayed().line()).isEqualTo("conformance: histories: 1 rejected: 1");
    }

    private Conformance replayed() {
        return Conformance.of(story.history(), HistoryBuilder.LIMITS);
    }
}
