package io.distributedlock.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpTests {

    @Test
    void itEndsWhenTheRateGrowsNoMore() {
        Deque<Double> rates = new ArrayDeque<>(List.of(10.0, 20.0, 40.0, 42.0, 80.0));

        assertThat(WarmUp.of(rates::remove, 10)).isEqualTo(42);
        assertThat(rates).containsExactly(80.0);
    }

    @Test
    void itGoesOnAsLongAsNothingHasHappenedYet() {
        Deque<Double> rates = new ArrayDeque<>(List.of(0.0, 0.0, 0.0, 40.0, 41.0));

        assertThat(WarmUp.of(rates::remove, 10)).isEqualTo(41);
    }

    @Test
    void itEndsAfterTheLastRunThatIsAllowed() {
        Deque<Double> rates = new ArrayDeque<>(List.of(10.0, 20.0, 40.0, 80.0));

        assertThat(WarmUp.of(rates::remove, 3)).isEqualTo(40);
        assertThat(rates).containsExactly(80.0);
    }
}
