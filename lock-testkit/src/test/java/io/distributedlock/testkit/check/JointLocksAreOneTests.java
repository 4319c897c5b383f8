package io.distributedlock.testkit.check;

import static io.distributedlock.testkit.history.EventKind.HELD_BY_OTHER;
import static io.distributedlock.testkit.history.EventKind.NOT_ASKED;
import static io.distributedlock.testkit.history.EventKind.RELEASE_INVOKED;
import static io.distributedlock.testkit.history.EventKind.RELEASE_REPORTED_LOST;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.check.HistoryBuilder.Telling;
import io.distributedlock.testkit.history.CallTerms;
import io.distributedlock.testkit.history.CallTerms.Bond;
import org.junit.jupiter.api.Test;

/** What the checker makes of calls for several locks. */
class JointLocksAreOneTests {
    private static final CallTerms BOTH = new CallTerms(false, Bond.ALL, "both");
    private static final CallTerms ONE_OF_TWO = new CallTerms(false, Bond.ANY, "one of two");

    private final HistoryBuilder story = new HistoryBuilder();

    private Telling part(String key, long millis, String letter) {
        return story.call("p1", key, millis, 0, letter, BOTH);
    }

    @Test
    void locksThatAreGrantedAndReleasedTogetherAreFine() {
        part("k", 0, "a").granted(10, 1).released(20, 22);
        part("j", 0, "b").granted(10, 1).released(20, 22);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void oneGrantedWithoutTheOtherIsCaught() {
        part("k", 0, "a").granted(10, 1).released(20, 22);
        part("j", 0, "b").then(HELD_BY_OTHER, 10);
        story.call("p2", "j", 0, 0, "c").granted(5, 1).released(30, 31);
        assertThat(story.violations()).first().satisfies(violation -> {
            assertThat(violation.invariant()).startsWith("I11 ");
            assertThat(violation.message()).isEqualTo("1 of 2 locks that belong together were granted");
        });
    }

    @Test
    void oneLostWithoutTheOtherIsCaught() {
        part("k", 0, "a").granted(10, 1).lost(20, "DEADLINE").then(RELEASE_REPORTED_LOST, 30);
        part("j", 0, "b").granted(10, 1).released(29, 30);
        assertThat(story.breaches()).contains("I11");
    }

    @Test
    void theOtherOneStaysUntilTheReleaseWhenOneIsLost() {
        part("j", 0, "b")
                .granted(10, 1)
                .lost(20, "DEADLINE")
                .then(RELEASE_INVOKED, 900)
                .then(RELEASE_REPORTED_LOST, 901);
        part("k", 0, "a")
                .granted(10, 1)
                .lost(20, "DEADLINE")
                .then(RELEASE_INVOKED, 900)
                .then(RELEASE_REPORTED_LOST, 901);
        story.samples(11, 901, "a", 2_000).sample(920, "", 0);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void theOtherOneIsCaughtWhenItStaysForLonger() {
        part("j", 0, "b").granted(10, 1).released(20, 22);
        part("k", 0, "a").granted(10, 1).released(20, 22);
        story.samples(11, 19, "a", 2_000).sample(600, "a", 2_000);
        assertThat(story.breaches()).containsExactly("I3");
    }

    @Test
    void bothAreRefusedWhenOneIsTaken() {
        story.call("p2", "j", 0, 0, "c").granted(5, 1).released(50, 51);
        part("k", 10, "a").then(HELD_BY_OTHER, 20);
        part("j", 10, "b").then(HELD_BY_OTHER, 20);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void bothRefusedWhileNoneIsTakenIsCaught() {
        story.call("p2", "j", 0, 0, "c").granted(5, 1).released(50, 51);
        part("k", 2_000, "a").then(HELD_BY_OTHER, 2_010);
        part("j", 2_000, "b").then(HELD_BY_OTHER, 2_010);
        assertThat(story.breaches()).contains("I4");
    }

    @Test
    void whoWaitsForTheSecondLeavesTheFirstNeitherFreeNorWaitedFor() {
        story.call("p2", "j", 0, 0, "c").granted(5, 1).released(3_000, 3_001);
        story.call("p1", "k", 10, 4_000, "a", BOTH).granted(3_010, 1).released(3_020, 3_021);
        story.call("p1", "j", 10, 4_000, "b", BOTH).granted(3_010, 2).released(3_020, 3_021);
        story.call("p3", "k", 20, 4_000, "d").granted(3_022, 2).released(3_030, 3_031);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void whicheverIsFreeLeavesTheRestUnasked() {
        story.call("p2", "j", 0, 0, "c").granted(5, 1).released(50, 51);
        story.call("p1", "j", 10, 0, "a", ONE_OF_TWO).then(HELD_BY_OTHER, 20);
        story.call("p1", "k", 10, 0, "b", ONE_OF_TWO).granted(20, 1).released(30, 31);
        story.call("p1", "i", 10, 0, "d", ONE_OF_TWO).then(NOT_ASKED, 20);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void oneOfSeveralThatWasFreeAndRefusedIsCaught() {
        story.call("p1", "j", 10, 0, "a", ONE_OF_TWO).then(HELD_BY_OTHER, 20);
        story.call("p1", "k", 10, 0, "b", ONE_OF_TWO).granted(20, 1).released(30, 31);
        assertThat(story.breaches()).containsExactly("I4");
    }

    @Test
    void theTermsOfACallAreReadAsTheyWereWritten() {
        CallTerms terms = new CallTerms(true, Bond.ANY, "p1/7 of many");
        assertThat(CallTerms.parse(terms.text())).isEqualTo(terms);
        assertThat(CallTerms.parse(CallTerms.SHARED.text())).isEqualTo(CallTerms.SHARED);
        assertThat(CallTerms.EXCLUSIVE.text()).isEmpty();
        assertThat(CallTerms.parse("")).isEqualTo(CallTerms.EXCLUSIVE);
    }
}
