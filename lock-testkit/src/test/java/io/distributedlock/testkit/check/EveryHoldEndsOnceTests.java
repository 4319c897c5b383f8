package io.distributedlock.testkit.check;

import static io.distributedlock.testkit.history.EventKind.ENTER;
import static io.distributedlock.testkit.history.EventKind.GRANTED;
import static io.distributedlock.testkit.history.EventKind.HELD_BY_OTHER;
import static io.distributedlock.testkit.history.EventKind.INTERRUPTED;
import static io.distributedlock.testkit.history.EventKind.RELEASED;
import static io.distributedlock.testkit.history.EventKind.RELEASE_INVOKED;
import static io.distributedlock.testkit.history.EventKind.RELEASE_REPORTED_LOST;
import static io.distributedlock.testkit.history.EventKind.UNAVAILABLE;
import static io.distributedlock.testkit.history.EventKind.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.History;
import java.util.List;
import org.junit.jupiter.api.Test;

class EveryHoldEndsOnceTests {
    private final HistoryBuilder story = new HistoryBuilder();

    @Test
    void everyKindOfEndIsFineOnce() {
        story.call("p1", 0, "a").granted(5, 1).released(10, 11);
        story.call("p1", 20, "b").granted(25, 2).lost(30, "DEADLINE");
        story.call("p1", 40, "c")
                .granted(45, 3)
                .lost(50, "DEADLINE")
                .then(RELEASE_INVOKED, 51)
                .then(RELEASE_REPORTED_LOST, 52, 0, "DEADLINE");
        story.call("p1", 60, "d").then(UNKNOWN, 61);
        story.call("p1", 70, "e").then(UNAVAILABLE, 71);
        story.call("p1", 80, "f").then(INTERRUPTED, 81);
        story.call("p1", 90, "g").granted(91, 4).released(92, 93).released(94, 95);
        story.call("p2", 100, "h");
        story.call("p2", 110, "i").granted(111, 5);
        story.killed("p2", 120);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aCallThatNeverReturnsIsCaught() {
        story.call("p1", 0, "a");
        assertThat(story.breaches()).containsExactly("I7");
    }

    @Test
    void aCallThatReturnsTwiceIsCaught() {
        story.call("p1", 0, "a").granted(5, 1).then(UNKNOWN, 6).released(10, 11);
        assertThat(story.breaches()).containsExactly("I7");
    }

    @Test
    void aHoldThatNeverEndsIsCaught() {
        story.call("p1", 0, "a").granted(5, 1);
        assertThat(story.breaches()).containsExactly("I7");
    }

    @Test
    void aLossToldTwiceIsCaught() {
        story.call("p1", 0, "a").granted(5, 1).lost(10, "DEADLINE").lost(11, "DEADLINE");
        assertThat(story.breaches()).containsExactly("I7");
    }

    @Test
    void aHoldBothLostAndReleasedIsCaught() {
        story.call("p1", 0, "a").granted(5, 1).lost(10, "DEADLINE").released(12, 13);
        assertThat(story.breaches()).containsExactly("I7");
    }

    @Test
    void aReleaseThatReportsALossNoCallerWasToldOfIsCaught() {
        story.call("p1", 0, "a").granted(5, 1).then(RELEASE_INVOKED, 8).then(RELEASE_REPORTED_LOST, 9);
        assertThat(story.breaches()).containsExactly("I7");
    }

    @Test
    void aReleaseThatReturnsUnaskedIsCaught() {
        story.call("p1", 0, "a").granted(5, 1).then(RELEASED, 9);
        assertThat(story.breaches()).containsExactly("I7");
    }

    @Test
    void aRefusedClientThatGoesOnIsCaught() {
        story.call("p2", 0, "b").granted(1, 1).released(20, 21);
        story.call("p1", 5, "a").then(HELD_BY_OTHER, 6).then(ENTER, 7);
        assertThat(story.breaches()).containsExactly("I7");
    }

    @Test
    void aHoldWithoutACallIsCaught() {
        Event granted = new Event(GRANTED, "k", "p1", "p1#1", 5, 1, "", "");
        assertThat(HistoryChecker.check(History.of(List.of(granted)), HistoryBuilder.LIMITS))
                .singleElement()
                .satisfies(violation -> assertThat(violation.message()).isEqualTo("does not begin with one call"));
    }
}
