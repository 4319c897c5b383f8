package io.distributedlock.testkit.check;

import static io.distributedlock.testkit.history.EventKind.ACCEPTED;
import static io.distributedlock.testkit.history.EventKind.ENTER;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.Effect;
import org.junit.jupiter.api.Test;

class TokensGrowTests {
    private final HistoryBuilder story = new HistoryBuilder();

    @Test
    void growingTokensAreFineForEachKeyByItself() {
        story.call("p1", 0, "a").granted(10, 7).then(ACCEPTED, 11, 7, "").released(20, 21);
        story.call("p2", 30, "b").granted(40, 9).then(ACCEPTED, 41, 9, "").released(50, 51);
        story.call("p1", "other", 30, 0, "c").granted(40, 1).released(50, 51);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void locksWithoutTokensAreNotCompared() {
        story.call("p1", 0, "a").granted(10, 5).released(20, 21);
        story.call("p2", 30, "b").granted(40, 0).released(50, 51);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aRepeatedTokenIsCaught() {
        story.call("p1", 0, "a").granted(10, 7).released(20, 21);
        story.call("p2", 30, "b").granted(40, 7).released(50, 51);
        assertThat(story.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).startsWith("I2 ");
            assertThat(violation.message()).isEqualTo("token 7 was granted after token 7");
        });
    }

    @Test
    void aLowerTokenIsCaughtEvenAfterALossOfServerState() {
        story.call("p1", 0, "a").granted(10, 7).released(20, 21);
        story.fault(25, 26, "", Effect.STATE_DESTROYED);
        story.call("p2", 30, "b").granted(40, 3).released(50, 51);
        story.call("p3", 60, "c").granted(70, 5).released(80, 81);
        assertThat(story.breaches()).containsExactly("I2", "I2");
    }

    @Test
    void aGrantRecordedLateByAPausedProcessIsNotCompared() {
        story.fault(5, 300, "p1", Effect.CLIENT_PAUSED);
        story.call("p1", 0, "a").granted(310, 1).lost(311, "DEADLINE");
        story.call("p2", "k", 50, 200, "b").granted(200, 2).released(250, 251);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aGrantWhoseLockWasLostAndGivenAwayBeforeItWasRecordedIsNotCompared() {
        story.fault(20, 21, "", Effect.STATE_DESTROYED);
        story.call("p1", 0, "a").granted(40, 1).lost(41, "NOT_OWNER");
        story.call("p2", "k", 22, 30, "b").granted(30, 2).released(50, 51);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aGrantThatWasOverBeforeItsThreadRanIsNotCompared() {
        story.call("p1", 0, "a").granted(310, 1).lost(311, "DEADLINE").then(ENTER, 312);
        story.call("p2", "k", 50, 200, "b").granted(200, 2).released(250, 251);
        assertThat(story.breaches()).doesNotContain("I2");
    }

    @Test
    void aGrantThatIsOverLaterOrForAnotherReasonIsCompared() {
        story.call("p1", 0, "a").granted(310, 1).then(ENTER, 311).lost(312, "DEADLINE");
        story.call("p2", "k", 50, 200, "b").granted(200, 2).released(250, 251);
        story.call("p1", "j", 0, 0, "c").granted(310, 1).lost(311, "NOT_OWNER").then(ENTER, 312);
        story.call("p2", "j", 50, 200, "d").granted(200, 2).released(250, 251);
        assertThat(story.breaches()).contains("I2").filteredOn("I2"::equals).hasSize(2);
    }

    @Test
    void aResourceThatAcceptsALowerTokenIsCaught() {
        story.call("p1", 0, "a").granted(10, 1).then(ACCEPTED, 31, 1, "").lost(20, "DEADLINE");
        story.call("p2", "k", 0, 100, "b")
                .granted(25, 2)
                .then(ACCEPTED, 30, 2, "")
                .released(40, 41);
        assertThat(story.breaches()).containsExactly("I2");
    }
}
