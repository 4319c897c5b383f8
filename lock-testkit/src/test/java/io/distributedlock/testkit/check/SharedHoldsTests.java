package io.distributedlock.testkit.check;

import static io.distributedlock.testkit.history.EventKind.HELD_BY_OTHER;
import static io.distributedlock.testkit.history.EventKind.OVERLAP;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the checker makes of readers and writers of one lock. */
class SharedHoldsTests {
    private final HistoryBuilder story = new HistoryBuilder();

    @Test
    void readersMayHoldTheLockTogether() {
        story.reader("p1", 0, "a").granted(10, 1).released(50, 51);
        story.reader("p2", 5, "b").granted(20, 2).released(40, 41);
        story.call("p3", "k", 5, 100, "c").granted(52, 3).released(60, 61);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aReaderDuringTheHoldOfAWriterIsCaught() {
        story.call("p1", 0, "a").granted(10, 1).released(50, 51);
        story.reader("p2", 5, "b").granted(20, 2).released(40, 41);
        assertThat(story.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).startsWith("I1 ");
            assertThat(violation.message()).isEqualTo("held by two clients for 20.0 ms");
        });
    }

    @Test
    void aWriterDuringTheHoldOfTheLastReaderIsCaught() {
        story.reader("p1", 0, "a").granted(10, 1).released(20, 21);
        story.reader("p2", 0, "b").granted(11, 2).released(50, 51);
        story.call("p3", "k", 0, 100, "c").granted(30, 3).released(60, 61);
        assertThat(story.breaches()).containsExactly("I1");
    }

    @Test
    void twoWritersAmongReadersAreCaught() {
        story.reader("p1", 0, "a").granted(10, 1).released(20, 21);
        story.call("p2", "k", 0, 100, "b").granted(30, 2).released(50, 51);
        story.call("p3", "k", 0, 100, "c").granted(40, 3).released(60, 61);
        assertThat(story.breaches()).containsExactly("I1");
    }

    @Test
    void anOverlapThatAReaderFoundWithoutAClockIsCaught() {
        story.reader("p1", 0, "a").granted(10, 1).then(OVERLAP, 11, 0, "p2").released(20, 21);
        assertThat(story.breaches()).containsExactly("I1");
    }

    @Test
    void tokensOfReadersThatAskedTogetherMayBeInAnyOrder() {
        story.reader("p1", 0, "a").granted(10, 2).released(50, 51);
        story.reader("p2", 5, "b").granted(20, 1).released(40, 41);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aReaderThatAskedLaterWithALowerTokenIsCaught() {
        story.reader("p1", 0, "a").granted(10, 2).released(50, 51);
        story.reader("p2", 11, "b").granted(20, 1).released(40, 41);
        assertThat(story.breaches()).containsExactly("I2");
    }

    @Test
    void aWriterWithALowerTokenThanAReaderBeforeItIsCaught() {
        story.reader("p1", 0, "a").granted(10, 7).released(20, 21);
        story.reader("p2", 0, "b").granted(11, 3).released(19, 20);
        story.call("p3", "k", 0, 100, "c").granted(30, 5).released(40, 41);
        assertThat(story.breaches()).containsExactly("I2");
    }

    @Test
    void readersSeenInRedisTogetherAreAllAtHome() {
        story.reader("p1", 0, "a").granted(10, 1).released(50, 51);
        story.reader("p2", 5, "b").granted(20, 2).released(40, 41);
        story.shares(15, "a", 2_000).shares(25, "ab", 2_000).shares(45, "a", 2_000);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aShareThatIsNotInRedisIsCaught() {
        story.reader("p1", 0, "a").granted(10, 1).released(50, 51);
        story.reader("p2", 5, "b").granted(20, 2).released(40, 41);
        story.shares(15, "a", 2_000).shares(25, "a", 2_000);
        assertThat(story.breaches()).containsExactly("I5");
    }

    @Test
    void aShareThatVanishesBesideAnotherIsCaught() {
        story.reader("p1", 0, "a").granted(10, 1).released(50, 51);
        story.reader("p2", 5, "b").granted(20, 2).released(60, 61);
        story.shares(25, "ab", 2_000).shares(40, "a", 2_000);
        assertThat(story.breaches()).containsExactly("I9");
    }

    @Test
    void aShareThatExpiresBeforeItsReaderIsToldIsCaught() {
        story.reader("p1", 0, "a").granted(10, 1).lost(400, "DEADLINE");
        story.reader("p2", 5, "b").granted(20, 2).released(600, 601);
        story.shares(25, "ab", 300).shares(350, "b", 2_000);
        assertThat(story.breaches()).containsExactly("I6");
    }

    @Test
    void aShareThatStaysBesideAnotherAfterItsReleaseIsCaught() {
        story.reader("p1", 0, "a").granted(10, 1).released(50, 51);
        story.reader("p2", 5, "b").granted(20, 2).released(900, 901);
        story.shares(15, "a", 2_000).shares(25, "ab", 2_000).shares(800, "ab", 1_200);
        assertThat(story.breaches()).containsExactly("I3");
    }

    @Test
    void aWriterRefusedByAReaderIsToldTheTruth() {
        story.reader("p1", 0, "a").granted(5, 1).released(50, 51);
        story.call("p2", 20, "b").then(HELD_BY_OTHER, 30);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aReaderRefusedByAWriterIsToldTheTruth() {
        story.call("p1", 0, "a").granted(5, 1).released(50, 51);
        story.reader("p2", 20, "b").then(HELD_BY_OTHER, 30);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aReaderRefusedWhileAWriterWaitsIsToldTheTruth() {
        story.reader("p1", 0, "a").granted(5, 1).released(100, 101);
        story.call("p2", "k", 10, 60, "b").then(HELD_BY_OTHER, 71);
        story.reader("p3", 20, "c").then(HELD_BY_OTHER, 30);
        assertThat(story.breaches()).isEmpty();
    }

    @Test
    void aReaderRefusedWhileThereAreOnlyReadersIsCaught() {
        story.reader("p1", 0, "a").granted(5, 1).released(50, 51);
        story.reader("p2", 20, "b").then(HELD_BY_OTHER, 30);
        story.shares(25, "a", 2_000);
        assertThat(story.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).startsWith("I4 ");
            assertThat(violation.message()).isEqualTo("refused while no owner had the lock");
        });
    }
}
