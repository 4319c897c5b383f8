package io.distributedlock.testkit.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.analysis.Windows.Span;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowsTests {
    private final Windows windows =
            Windows.of(List.of(new Span(50, 60), new Span(10, 20), new Span(15, 30), new Span(60, 70)));

    @Test
    void overlappingSpansCountAsOne() {
        assertThat(windows.cover(10, 30)).isTrue();
        assertThat(windows.cover(50, 70)).isTrue();
        assertThat(windows.cover(30, 31)).isFalse();
        assertThat(windows.cover(20, 60)).isFalse();
    }

    @Test
    void touchingTellsWhetherAnyInstantIsShared() {
        assertThat(windows.touch(0, 10)).isTrue();
        assertThat(windows.touch(30, 40)).isTrue();
        assertThat(windows.touch(31, 49)).isFalse();
        assertThat(windows.touch(71, 100)).isFalse();
    }

    @Test
    void timeInsideIsLeftOutOfALength() {
        assertThat(windows.outside(0, 100)).isEqualTo(60);
        assertThat(windows.outside(20, 55)).isEqualTo(20);
        assertThat(windows.outside(12, 13)).isZero();
    }

    @Test
    void timeInsideDoesNotCountTowardsALimit() {
        assertThat(windows.after(0, 5)).isEqualTo(5);
        assertThat(windows.after(0, 10)).isEqualTo(10);
        assertThat(windows.after(0, 11)).isEqualTo(31);
        assertThat(windows.after(25, 30)).isEqualTo(80);
        assertThat(windows.after(55, 1)).isEqualTo(71);
        assertThat(windows.after(90, 5)).isEqualTo(95);
    }

    @Test
    void theLastEndIsThatOfTheLastSpanTouched() {
        assertThat(windows.lastEnd(0, 5)).isEqualTo(5);
        assertThat(windows.lastEnd(0, 12)).isEqualTo(30);
        assertThat(windows.lastEnd(0, 55)).isEqualTo(70);
    }

    @Test
    void twoSetsBecomeOne() {
        Windows more = windows.and(Windows.of(List.of(new Span(25, 55))));
        assertThat(more.cover(10, 70)).isTrue();
    }
}
