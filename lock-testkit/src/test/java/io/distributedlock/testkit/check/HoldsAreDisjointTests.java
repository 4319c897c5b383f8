package io.distributedlock.testkit.check;

import static io.distributedlock.testkit.history.EventKind.ENTER;
import static io.distributedlock.testkit.history.EventKind.EXIT;
import static io.distributedlock.testkit.history.EventKind.OVERLAP;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.Effect;
import org.junit.jupiter.api.Test;

class HoldsAreDisjointTests {
    private final HistoryBuilder story = new HistoryBuilder();

    @Test
    void holdsOneAfterAnotherAreFine() {
        story.call("p1", 0, "a").granted(10, 1).released(20, 22);
        story.call("p2", "k", 5, 100, "b").granted(21, 2).released(30, 31);
        story.call("p3", "other", 5, 0, "c").granted(15, 1).released(25, 26);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void twoHoldsAtOnceAreCaught() {
        story.call("p1", 0, "a").granted(10, 1).released(30, 32);
        story.call("p2", "k", 5, 100, "b").granted(29, 2).released(40, 41);
        assertThat(story.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).startsWith("I1 ");
            assertThat(violation.message()).isEqualTo("held by two clients for 1.0 ms");
            assertThat(violation.events()).hasSize(8);
        });
    }

    @Test
    void anOverlapBehindALongerOneIsCaughtToo() {
        story.call("p1", 0, "a").granted(10, 1).released(100, 101);
        story.call("p2", "k", 5, 100, "b").granted(20, 2).released(30, 31);
        story.call("p3", "k", 5, 100, "c").granted(40, 3).released(50, 51);
        assertThat(story.breaches()).containsExactly("I1", "I1");
    }

    @Test
    void aHoldEndsWithTheSignalOfItsLoss() {
        story.call("p1", 0, "a").granted(10, 1).lost(500, "DEADLINE");
        story.call("p2", "k", 5, 1_000, "b").granted(501, 2).released(600, 601);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aLossToldAfterTheNextGrantIsCaught() {
        story.call("p1", 0, "a").granted(10, 1).lost(503, "DEADLINE");
        story.call("p2", "k", 5, 1_000, "b").granted(501, 2).released(600, 601);
        assertThat(story.breaches()).containsExactly("I1");
    }

    @Test
    void lostServerStateExcusesAnOverlapUntilTheLimitOfItsDetection() {
        story.fault(100, 110, "", Effect.STATE_DESTROYED);
        story.call("p1", 0, "a").granted(10, 1).lost(400, "NOT_OWNER");
        story.call("p2", "k", 105, 100, "b").granted(120, 2).released(500, 501);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void anOverlapBeyondTheLimitOfDetectionIsCaught() {
        story.fault(100, 110, "", Effect.STATE_DESTROYED);
        story.call("p1", 0, "a").granted(10, 1).lost(420, "NOT_OWNER");
        story.call("p2", "k", 105, 100, "b").granted(120, 2).released(500, 501);
        assertThat(story.breaches()).containsExactly("I1");
    }

    @Test
    void aPausedProcessIsExcusedWhileItStandsStillAndNotMuchLonger() {
        story.fault(100, 1_000, "p1", Effect.CLIENT_PAUSED);
        story.call("p1/t1", 0, "a").granted(10, 1).lost(1_040, "DEADLINE");
        story.call("p2/t1", "k", 50, 2_000, "b").granted(600, 2).released(1_045, 1_046);
        assertThat(story.breaches()).isEmpty();

        story.call("p1/t2", "k", 1_047, 0, "c").granted(1_048, 3).released(1_100, 1_101);
        story.call("p2/t2", "k", 1_047, 0, "d").granted(1_049, 4).released(1_101, 1_102);
        assertThat(story.breaches()).containsExactly("I1");
    }

    @Test
    void aPauseOfAThirdProcessExcusesNoCaller() {
        story.fault(0, 100, "p3", Effect.CLIENT_PAUSED);
        story.call("p1", 0, "a").granted(10, 1).released(30, 32);
        story.call("p2", "k", 5, 100, "b").granted(20, 2).released(40, 41);
        assertThat(story.breaches()).containsExactly("I1");
    }

    @Test
    void aKilledHolderHoldsNoLonger() {
        story.call("p1", 0, "a").granted(10, 1);
        story.killed("p1", 100);
        story.call("p2", "k", 50, 4_000, "b").granted(101, 2).released(200, 201);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aHolderThatNeverEndsOverlapsWithTheCallerThatComesNext() {
        story.call("p1", 0, "a").granted(10, 1);
        story.call("p2", "k", 50, 4_000, "b").granted(101, 2).released(200, 201);
        assertThat(story.breaches()).containsExactly("I1", "I7");
    }

    @Test
    void anOverlapFoundWithoutAClockIsCaught() {
        story.call("p1", 0, "a").granted(10, 1).then(ENTER, 11).then(EXIT, 19).released(20, 21);
        story.call("p2", "k", 0, 100, "b")
                .granted(22, 2)
                .then(OVERLAP, 23, 0, "p1")
                .released(24, 25);
        assertThat(story.breaches()).containsExactly("I1");
    }

    @Test
    void anOverlapWithAHolderThatHadBeenToldIsNotTheLocksFault() {
        story.call("p1", 0, "a")
                .granted(10, 1)
                .then(ENTER, 11)
                .lost(19, "DEADLINE")
                .then(EXIT, 40);
        story.call("p2", "k", 0, 100, "b")
                .granted(22, 2)
                .then(OVERLAP, 23, 0, "p1")
                .released(24, 25);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void anOverlapWithAHolderThatWasKilledIsNone() {
        story.call("p1", 0, "a").granted(10, 1).then(ENTER, 11);
        story.killed("p1", 15);
        story.call("p2", "k", 0, 100, "b")
                .granted(22, 2)
                .then(OVERLAP, 23, 0, "p1")
                .released(24, 25);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void anOverlapWithAHolderThatIsAtWorkAfterItsReleaseIsCaught() {
        story.call("p1", 0, "a").granted(10, 1).then(ENTER, 11).released(20, 21).then(EXIT, 40);
        story.call("p2", "k", 0, 100, "b")
                .granted(22, 2)
                .then(OVERLAP, 23, 0, "p1")
                .released(24, 25);
        assertThat(story.breaches()).contains("I1");
    }
}
