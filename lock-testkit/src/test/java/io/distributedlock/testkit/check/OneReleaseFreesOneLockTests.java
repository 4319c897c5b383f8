package io.distributedlock.testkit.check;

import static io.distributedlock.testkit.history.EventKind.RELEASE_INVOKED;
import static io.distributedlock.testkit.history.EventKind.RELEASE_REPORTED_LOST;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.Effect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OneReleaseFreesOneLockTests {
    private final HistoryBuilder story = new HistoryBuilder();

    @Test
    void aRepeatedReleaseThatFreesNothingElseIsFine() {
        story.call("p1", 0, "a").granted(5, 1).released(20, 21).released(60, 61);
        story.call("p2", "k", 10, 100, "b").granted(30, 2).released(100, 101);
        story.samples(10, 20, "a", 900).samples(30, 100, "b", 900).samples(110, 120, "", 0);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void anOldReleaseThatFreesTheNextHoldIsCaughtInTheSamples() {
        story.call("p1", 0, "a").granted(5, 1).released(20, 61);
        story.call("p2", "k", 10, 100, "b").granted(30, 2).released(100, 101);
        story.samples(10, 20, "a", 900).samples(30, 60, "b", 900).samples(70, 120, "", 0);
        assertThat(story.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).startsWith("I9 ");
            assertThat(violation.message()).isEqualTo("gone from Redis while it was held and had not expired");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"NOT_OWNER", "ABSENT"})
    void aHoldTakenAwayForNoReasonIsCaughtInTheEvents(String reason) {
        story.call("p1", 0, "a").granted(5, 1).lost(50, reason);
        assertThat(story.breaches()).containsExactly("I9");
    }

    @Test
    void aRepeatedReleaseThatWronglyReportsALossIsCaught() {
        story.call("p1", 0, "a")
                .granted(5, 1)
                .then(RELEASE_INVOKED, 20)
                .then(RELEASE_REPORTED_LOST, 40, 0, "LOST_EARLY")
                .lost(41, "LOST_EARLY");
        assertThat(story.breaches()).containsExactly("I9");
    }

    @Test
    void aHoldTakenAwayByALossOfServerStateIsExcused() {
        story.fault(40, 41, "", Effect.STATE_DESTROYED);
        story.call("p1", 0, "a").granted(5, 1).lost(50, "NOT_OWNER");
        story.samples(10, 40, "a", 900).samples(50, 80, "", 0);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aLossThatIsDatedBackBeforeTheServerLostItsStateIsExcused() {
        story.fault(40, 41, "", Effect.STATE_DESTROYED);
        story.call("p1", 0, "a")
                .granted(5, 1)
                .lost(6, "NOT_OWNER")
                .then(RELEASE_INVOKED, 50)
                .then(RELEASE_REPORTED_LOST, 51, 0, "NOT_OWNER");
        story.samples(10, 40, "a", 900).samples(50, 80, "", 0);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aLossThatIsFoundAfterTheLeaseHasEndedByItselfIsExcused() {
        lateRelease(1_010);
        story.samples(10, 1_000, "a", 0).samples(1_010, 1_100, "", 0);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aLossThatIsFoundBeforeTheLeaseCouldEndIsCaught() {
        lateRelease(990);
        story.samples(10, 980, "a", 20);
        assertThat(story.breaches()).containsExactly("I9");
    }

    @Test
    void aLossThatIsFoundAfterTheLeaseIsCaughtIfTheOwnerWasGoneBeforeItsEnd() {
        lateRelease(1_010);
        story.samples(10, 810, "a", 190).samples(820, 1_100, "", 0);
        assertThat(story.breaches()).containsExactly("I9");
    }

    @Test
    void aLossThatIsFoundLateIsCaughtIfNoSampleTellsWhenTheLeaseEnds() {
        lateRelease(1_010);
        assertThat(story.breaches()).containsExactly("I9");
    }

    /** The holder had no processor from 800 ms on, and its release was the next that it did. */
    private void lateRelease(long invoked) {
        story.call("p1", 0, "a")
                .granted(5, 1)
                .lost(800, "NOT_OWNER")
                .then(RELEASE_INVOKED, invoked)
                .then(RELEASE_REPORTED_LOST, invoked + 1, 0, "NOT_OWNER");
    }

    @Test
    void aHoldFoundTakenAfterAPauseIsExcused() {
        story.fault(40, 4_000, "p1", Effect.CLIENT_PAUSED);
        story.call("p1", 0, "a").granted(5, 1).lost(4_010, "NOT_OWNER");
        assertThat(story.breaches()).isEmpty();
    }
}
