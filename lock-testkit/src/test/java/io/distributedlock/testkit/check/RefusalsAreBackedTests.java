package io.distributedlock.testkit.check;

import static io.distributedlock.testkit.history.EventKind.HELD_BY_OTHER;
import static io.distributedlock.testkit.history.EventKind.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.Effect;
import org.junit.jupiter.api.Test;

class RefusalsAreBackedTests {
    private final HistoryBuilder story = new HistoryBuilder();

    @Test
    void aRefusalWhileAnotherClientHoldsTheLockIsTrue() {
        story.call("p1", 0, "a").granted(5, 1).released(50, 51);
        story.call("p2", 20, "b").then(HELD_BY_OTHER, 30);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aRefusalWhileASampleShowsAnotherOwnerIsTrue() {
        story.call("p1", 0, "a").then(UNKNOWN, 30);
        story.call("p2", 20, "b").then(HELD_BY_OTHER, 40);
        story.samples(0, 100, "a", 5_000).samples(110, 120, "", 0);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aRefusalWhileAnotherCallIsOfUnclearOutcomeMayBeTrue() {
        story.call("p1", 0, "a").then(UNKNOWN, 30);
        story.call("p2", 100, "b").then(HELD_BY_OTHER, 110);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aRefusalByNoCallerIsCaught() {
        story.call("p1", 0, "a").granted(5, 1).released(50, 51);
        story.call("p2", 1_000, "b").then(HELD_BY_OTHER, 1_010);
        assertThat(story.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).startsWith("I4 ");
            assertThat(violation.message()).isEqualTo("refused while no owner had the lock");
        });
    }

    @Test
    void aClientRefusedByItsOwnOwnerIsCaught() {
        story.call("p1", 900, "a").then(UNKNOWN, 930);
        story.call("p2", 1_000, "b").then(HELD_BY_OTHER, 1_100);
        story.samples(900, 1_000, "", 0).samples(1_010, 1_200, "b", 20_000);
        assertThat(story.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).startsWith("I4 ");
            assertThat(violation.message()).contains("the call's own owner");
        });
    }

    @Test
    void aClientThatWasRefusedByAnUnclearCallAndGrantedTheLockBeforeItWasToldIsBacked() {
        story.call("p1", 900, "a").then(UNKNOWN, 1_050);
        story.call("p2", 1_000, "b").then(HELD_BY_OTHER, 1_100);
        story.samples(900, 1_000, "", 0).samples(1_060, 1_200, "b", 20_000);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aClientThatIsGrantedTheLockJustAsItsWaitEndsMayHaveBeenRefusedByAnother() {
        story.call("p1", 900, "a").then(UNKNOWN, 930);
        story.call("p2", 1_000, "b").then(HELD_BY_OTHER, 1_100);
        story.samples(900, 1_085, "", 0).samples(1_100, 1_110, "b", 20_000);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void anOwnerThatMayComeLateIsNotClearedByASampleWithoutIt() {
        story.fault(900, 1_200, "p1", Effect.REQUESTS_LATE);
        story.call("p1", 900, "a").then(UNKNOWN, 930);
        story.call("p2", 1_000, "b").then(HELD_BY_OTHER, 1_100);
        story.samples(900, 1_000, "", 0).samples(1_010, 1_200, "b", 20_000);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aRefusalInATimeOfLostServerStateIsExcused() {
        story.fault(900, 1_000, "", Effect.STATE_DESTROYED);
        story.call("p2", 1_000, "b").then(HELD_BY_OTHER, 1_010);
        assertThat(story.breaches()).isEmpty();
    }
}
