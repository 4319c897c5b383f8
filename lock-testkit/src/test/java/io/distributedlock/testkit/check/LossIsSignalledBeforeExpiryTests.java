package io.distributedlock.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.Effect;
import org.junit.jupiter.api.Test;

class LossIsSignalledBeforeExpiryTests {
    private final HistoryBuilder story = new HistoryBuilder();

    @Test
    void aLossToldBeforeRedisLetTheLockGoIsFine() {
        story.call("p1", 0, "a").granted(5, 1).lost(480, "DEADLINE");
        story.samples(10, 490, "a", 100).samples(500, 600, "", 0);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aLossToldAfterRedisLetTheLockGoIsCaught() {
        story.call("p1", 0, "a").granted(5, 1).lost(515, "DEADLINE");
        story.samples(10, 490, "a", 10).samples(500, 600, "", 0);
        assertThat(story.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).startsWith("I6 ");
            assertThat(violation.message()).isEqualTo("expired in Redis at least 14.999 ms before its end");
        });
    }

    @Test
    void aHolderThatIsNeverToldIsCaught() {
        story.call("p1", 0, "a").granted(5, 1).released(900, 901);
        story.samples(10, 490, "a", 10).samples(500, 800, "", 0);
        assertThat(story.breaches()).containsExactly("I6");
    }

    @Test
    void aPausedProcessIsExcusedUntilItHasHadTimeToTell() {
        story.fault(100, 1_000, "p1", Effect.CLIENT_PAUSED);
        story.call("p1", 0, "a").granted(5, 1).lost(1_040, "DEADLINE");
        story.samples(10, 490, "a", 10).samples(500, 1_200, "", 0);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aProcessThatDoesNotTellAfterItsPauseIsCaught() {
        story.fault(100, 1_000, "p1", Effect.CLIENT_PAUSED);
        story.call("p1", 0, "a").granted(5, 1).lost(1_200, "DEADLINE");
        story.samples(10, 490, "a", 10).samples(500, 1_300, "", 0);
        assertThat(story.breaches()).containsExactly("I6");
    }

    @Test
    void lostServerStateIsExcusedUntilTheLimitOfItsDetection() {
        story.fault(500, 510, "", Effect.STATE_DESTROYED);
        story.call("p1", 0, "a").granted(5, 1).lost(800, "NOT_OWNER");
        story.samples(10, 490, "a", 10).samples(520, 900, "", 0);
        assertThat(story.breaches()).isEmpty();
    }
}
