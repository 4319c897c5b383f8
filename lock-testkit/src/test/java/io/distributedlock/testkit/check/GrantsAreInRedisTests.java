package io.distributedlock.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.Effect;
import org.junit.jupiter.api.Test;

class GrantsAreInRedisTests {
    private final HistoryBuilder story = new HistoryBuilder();

    @Test
    void aGrantSeenInRedisIsFine() {
        story.samples(0, 20, "", 0).samples(30, 90, "a", 1_000).samples(100, 120, "", 0);
        story.call("p1", 0, "a").granted(25, 1).released(95, 96);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aGrantTooShortForASampleIsNotDecided() {
        story.samples(0, 200, "", 0);
        story.call("p1", 20, "a").granted(21, 1).released(29, 31);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aGrantThatRedisNeverSawIsCaught() {
        story.samples(0, 200, "", 0);
        story.call("p1", 20, "a").granted(25, 1).released(95, 96);
        assertThat(story.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).startsWith("I5 ");
            assertThat(violation.message()).contains("aaaaaaaa");
        });
    }

    @Test
    void aGrantWhileRedisHasAnotherOwnerIsCaught() {
        story.samples(0, 200, "b", 1_000);
        story.call("p2", 0, "b").granted(5, 1).released(300, 301);
        story.call("p1", 20, "a").granted(25, 2).released(95, 96);
        assertThat(story.breaches()).containsExactly("I1", "I5");
    }

    @Test
    void aGrantWipedOutAtOnceByALossOfServerStateIsExcused() {
        story.fault(26, 27, "", Effect.STATE_DESTROYED);
        story.samples(0, 200, "", 0);
        story.call("p1", 20, "a").granted(25, 1).lost(190, "NOT_OWNER");
        assertThat(story.breaches()).isEmpty();
    }
}
