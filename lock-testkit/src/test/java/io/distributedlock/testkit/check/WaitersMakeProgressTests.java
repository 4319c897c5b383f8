package io.distributedlock.testkit.check;

import static io.distributedlock.testkit.history.EventKind.HELD_BY_OTHER;
import static io.distributedlock.testkit.history.EventKind.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.Effect;
import org.junit.jupiter.api.Test;

class WaitersMakeProgressTests {
    private final HistoryBuilder story = new HistoryBuilder();

    @Test
    void aCallMayTakeItsWaitTimeAndTwoCommandTimeouts() {
        story.call("p1", 0, "a").granted(5, 1).released(2_000, 2_001);
        story.call("p2", "k", 100, 1_000, "b").then(HELD_BY_OTHER, 1_350);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aCallThatTakesLongerIsCaught() {
        story.call("p1", 0, "a").granted(5, 1).released(2_000, 2_001);
        story.call("p2", "k", 100, 1_000, "b").then(HELD_BY_OTHER, 1_351);
        assertThat(story.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).startsWith("I8 ");
            assertThat(violation.message()).isEqualTo("the call took 1251.0 ms of at most 1250 ms");
        });
    }

    @Test
    void aPauseOfTheCallersProcessDoesNotCount() {
        story.fault(300, 900, "p2", Effect.CLIENT_PAUSED);
        story.call("p1", 0, "a").granted(5, 1).released(3_000, 3_001);
        story.call("p2", "k", 100, 1_000, "b").then(HELD_BY_OTHER, 1_950);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aFreeLockMayWaitForItsWaiterForTheRecoveryLimit() {
        story.call("p1", 0, "a").granted(5, 1).released(100, 101);
        story.call("p2", "k", 50, 5_000, "b").granted(1_400, 2).released(1_500, 1_501);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aFreeLockThatNoneOfItsWaitersGetsIsCaught() {
        story.call("p1", 0, "a").granted(5, 1).released(100, 101);
        story.call("p2", "k", 50, 5_000, "b").granted(1_500, 2).released(1_600, 1_601);
        assertThat(story.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).startsWith("I8 ");
            assertThat(violation.message()).isEqualTo("free for 1099.0 ms while a call waited");
        });
    }

    @Test
    void waitersThatTakeTurnsCountAsOne() {
        story.call("p1", 0, "a").granted(5, 1).released(10, 11);
        story.call("p2", "k", 5, 1_000, "b").then(UNKNOWN, 900);
        story.call("p3", "k", 800, 5_000, "c").granted(3_000, 2).released(3_001, 3_002);
        assertThat(story.breaches()).containsExactly("I8");
    }

    @Test
    void theTimeOfAFaultDoesNotCountForTheRecovery() {
        story.fault(200, 900, "", Effect.SERVER_UNREACHABLE);
        story.call("p1", 0, "a").granted(5, 1).released(100, 101);
        story.call("p2", "k", 50, 5_000, "b").granted(2_100, 2).released(2_200, 2_201);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void theOrphanOfAKilledHolderMayBlockForItsLease() {
        story.call("p1", 0, "a").granted(5, 1);
        story.killed("p1", 100);
        story.call("p2", "k", 50, 10_000, "b").granted(4_100, 2).released(4_200, 4_201);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aLockThatIsNeverGrantedAgainIsCaughtAtTheEnd() {
        story.call("p1", 0, "a").granted(5, 1).released(100, 101);
        story.call("p2", "k", 50, 5_000, "b");
        story.sample(3_000, "", 0);
        assertThat(story.breaches()).containsExactly("I7", "I8");
    }
}
