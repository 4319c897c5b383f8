package io.distributedlock.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.internal.time.ManualScheduler;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecentMaximumTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualScheduler time = new ManualScheduler();
    private final RecentMaximum maximum = new RecentMaximum(time);

    @Test
    void itBeginsAtZero() {
        assertThat(maximum.get()).isZero();
    }

    @Test
    void theLargestOfTheMinuteCounts() {
        maximum.record(Duration.ofMillis(5));
        maximum.record(Duration.ofMillis(9));
        maximum.record(Duration.ofMillis(7));
        assertThat(maximum.get()).hasMillis(9);
    }

    @Test
    void itIsRememberedForAMinuteAtLeastAndForgottenAfterTwo() {
        time.advance(Duration.ofSeconds(59));
        maximum.record(Duration.ofMillis(9));
        time.advance(MINUTE);
        assertThat(maximum.get()).hasMillis(9);
        time.advance(Duration.ofSeconds(1));
        assertThat(maximum.get()).isZero();
    }

    @Test
    void aSmallerValueInTheNextMinuteDoesNotHideALargerOneOfTheLast() {
        maximum.record(Duration.ofMillis(9));
        time.advance(MINUTE);
        maximum.record(Duration.ofMillis(1));
        assertThat(maximum.get()).hasMillis(9);
        time.advance(MINUTE);
        assertThat(maximum.get()).hasMillis(1);
    }

    @Test
    void afterALongSilenceNothingIsLeft() {
        maximum.record(Duration.ofMillis(9));
        time.advance(Duration.ofHours(3));
        maximum.record(Duration.ofMillis(2));
        assertThat(maximum.get()).hasMillis(2);
    }
}
