package io.distributedlock.testkit.check;

import static io.distributedlock.testkit.history.EventKind.HELD_BY_OTHER;
import static io.distributedlock.testkit.history.EventKind.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.Effect;
import org.junit.jupiter.api.Test;

class DeadOwnersVanishTests {
    private final HistoryBuilder story = new HistoryBuilder();

    @Test
    void anOwnerOfUnclearOutcomeMayStayForTheOrphanLimit() {
        story.call("p1", 0, "a").then(UNKNOWN, 100);
        story.samples(10, 390, "a", 5_000).samples(400, 1_000, "", 0);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void anOwnerThatStaysLongerIsCaughtOnce() {
        story.call("p1", 0, "a").then(UNKNOWN, 100);
        story.samples(10, 800, "a", 5_000);
        assertThat(story.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).startsWith("I3 ");
            assertThat(violation.message()).contains("310.0 ms after its end", "10.0 ms too long", "5000 ms left");
        });
    }

    @Test
    void anOwnerThatStaysAfterItsReleaseIsCaught() {
        story.call("p1", 0, "a").granted(5, 1).released(20, 30);
        story.samples(0, 500, "a", 5_000);
        assertThat(story.breaches()).containsExactly("I3");
    }

    @Test
    void anOwnerThatComesBackAfterItsEndIsCaught() {
        story.call("p1", 0, "a").then(HELD_BY_OTHER, 20);
        story.call("p2", 0, "b").granted(5, 1).released(100, 101);
        story.samples(0, 90, "b", 1_000).samples(110, 600, "", 0).samples(610, 620, "a", 5_000);
        assertThat(story.breaches()).containsExactly("I3");
    }

    @Test
    void timeInWhichTheServerCannotBeReachedDoesNotCount() {
        story.fault(50, 900, "", Effect.SERVER_UNREACHABLE);
        story.call("p1", 0, "a").then(UNKNOWN, 100);
        story.samples(900, 1_190, "a", 5_000).samples(1_200, 1_300, "", 0);
        assertThat(story.breaches()).isEmpty();

        story.samples(1_210, 1_220, "a", 5_000);
        assertThat(story.breaches()).containsExactly("I3");
    }

    @Test
    void anOutageOfAnotherProcessExcusesNoCaller() {
        story.fault(50, 900, "p2", Effect.SERVER_UNREACHABLE);
        story.call("p1", 0, "a").then(UNKNOWN, 100);
        story.samples(500, 510, "a", 5_000);
        assertThat(story.breaches()).containsExactly("I3");
    }

    @Test
    void theOwnerOfAProcessKilledBeforeItsReplyMayStayForTheProbation() {
        story.call("p1", "k", 0, 5_000, "");
        story.killed("p1", 100);
        story.samples(10, 2_140, "a", 5_000);
        assertThat(story.breaches()).isEmpty();

        story.sample(2_160, "a", 5_000);
        assertThat(story.breaches()).containsExactly("I3");
    }

    @Test
    void theOwnerOfAKilledHolderMayStayForItsLease() {
        story.call("p1", 0, "a").granted(5, 1);
        story.killed("p1", 100);
        story.samples(10, 3_140, "a", 5_000);
        assertThat(story.breaches()).isEmpty();

        story.sample(3_160, "a", 5_000);
        assertThat(story.breaches()).containsExactly("I3");
    }

    @Test
    void anOwnerWhoseProcessWasKilledBeforeItCouldTakeItBackMayStayForTheProbation() {
        story.fault(15, 1_000, "p1", Effect.SERVER_UNREACHABLE);
        story.call("p1", 0, "a").then(UNKNOWN, 10);
        story.killed("p1", 500);
        story.samples(20, 2_990, "a", 5_000);
        assertThat(story.breaches()).isEmpty();

        story.sample(3_100, "a", 5_000);
        assertThat(story.breaches()).containsExactly("I3");
    }

    @Test
    void aProcessThatIsKilledLongAfterwardsIsNoExcuse() {
        story.call("p1", 0, "a").then(UNKNOWN, 10);
        story.killed("p1", 1_500);
        story.samples(20, 1_000, "a", 5_000);
        assertThat(story.breaches()).containsExactly("I3");
    }

    @Test
    void anOwnerWhoseRequestCameLateMayStayForTheProbationAfterThat() {
        story.fault(50, 1_000, "p1", Effect.REQUESTS_LATE);
        story.call("p1", 0, "a").then(UNKNOWN, 200);
        story.samples(500, 990, "", 0).samples(1_000, 3_040, "a", 5_000);
        assertThat(story.breaches()).isEmpty();

        story.sample(3_060, "a", 5_000);
        assertThat(story.breaches()).containsExactly("I3");
    }

    @Test
    void anOwnerThatALossOfServerStateBroughtBackIsExcusedForALease() {
        story.call("p1", 0, "a").granted(5, 1).released(20, 30);
        story.fault(500, 600, "", Effect.STATE_DESTROYED);
        story.samples(40, 490, "", 0).samples(610, 3_640, "a", 5_000);
        assertThat(story.breaches()).isEmpty();

        story.sample(3_660, "a", 5_000);
        assertThat(story.breaches()).containsExactly("I3");
    }

    @Test
    void anOwnerHandedOnInsideAProcessLivesUntilItsLastHoldEnds() {
        story.call("p1/t1", 0, "a").granted(5, 1).released(20, 21);
        story.call("p1/t2", "k", 10, 100, "a").granted(22, 2).released(900, 901);
        story.samples(10, 890, "a", 5_000);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void anOwnerThatBelongsToNoCallerIsCaught() {
        story.call("p1", 0, "a").granted(5, 1).released(20, 30);
        story.samples(1_000, 1_010, "x", 5_000);
        assertThat(story.breaches()).containsExactly("I3");
    }
}
