package io.distributedlock.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeriesTests {

    @Test
    void theMedianOfAnOddNumberOfRoundsIsTheOneInTheMiddle() {
        assertThat(Spread.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 9));
    }

    @Test
    void theMedianOfAnEvenNumberOfRoundsIsHalfway() {
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 8.0))).isEqualTo(new Spread(3, 1, 8));
    }

    @Test
    void noRoundsHaveNoMedian() {
        assertThatIllegalArgumentException().isThrownBy(() -> Spread.of(List.of()));
    }

    @Test
    void eachHeadingHasASpreadOfItsOwn() {
        Series series = new Series();
        series.add(Round.of(Map.of("rate", 10.0, "wait", 1.0)));
        series.add(Round.of(Map.of("rate", 30.0)));

        assertThat(series.spread("rate")).contains(new Spread(20, 10, 30));
        assertThat(series.spread("wait")).contains(new Spread(1, 1, 1));
        assertThat(series.spread("other")).isEmpty();
    }

    @Test
    void aFigureOfAllRoundsReplacesThoseOfEach() {
        Series series = new Series();
        series.add(Round.of(Map.of("p99", 10.0)));
        series.put("p99", 50);

        assertThat(series.spread("p99")).contains(new Spread(50, 50, 50));
    }

    @Test
    void whatWentWrongIsSaidOnce() {
        Series series = new Series();
        series.add(new Round(Map.of(), List.of("2 errors")));
        series.add(new Round(Map.of(), List.of("2 errors")));
        series.fail("it hung");

        assertThat(series.remarks()).containsExactly("2 errors", "FAILED: it hung");
    }

    @Test
    void fairnessIsTheSmallestShareInProportionToTheLargest() {
        assertThat(Fairness.of(List.of(10L, 20L, 15L))).isEqualTo(0.5);
        assertThat(Fairness.of(List.of(7L, 7L))).isEqualTo(1);
        assertThat(Fairness.of(List.of(0L, 7L))).isZero();
        assertThat(Fairness.of(List.of(0L, 0L))).isZero();
        assertThat(Fairness.of(List.of())).isZero();
    }

    @Test
    void figuresHaveThreeDigitsThatCount() {
        assertThat(Digits.of(0.256)).isEqualTo("0.26");
        assertThat(Digits.of(12.34)).isEqualTo("12.3");
        assertThat(Digits.of(123.4)).isEqualTo("123");
        assertThat(Digits.of(2_425_161.2)).isEqualTo("2425161");
        assertThat(Digits.of(new Spread(2, 1, 100))).isEqualTo("2.00 [1.00..100]");
    }
}
