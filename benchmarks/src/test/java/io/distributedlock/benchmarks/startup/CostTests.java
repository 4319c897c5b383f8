package io.distributedlock.benchmarks.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class CostTests {

    private static final int COST = 80;

    private final Random random = new Random(42);

    private Starts starts(int rounds, double slowness, double noise) {
        Starts starts = Starts.none();
        for (int round = 0; round < rounds; round++) {
            double pace = 4_000 + slowness * random.nextGaussian();
            starts.without().add(new Start(Math.round(pace), 1));
            starts.with().add(new Start(Math.round(pace + COST + noise * random.nextGaussian()), 1));
        }
        return starts;
    }

    @Test
    void whatTheMachineDoesToBothIsNoCost() {
        Cost cost = Cost.of(starts(25, 800, 0));
        assertThat(cost.mean()).isCloseTo(COST, within(1.0));
        assertThat(cost.error()).isLessThan(0.5);
    }

    @Test
    void whatItDoesToOneIsInTheError() {
        Cost cost = Cost.of(starts(200, 800, 50));
        assertThat(cost.error()).isCloseTo(50 / Math.sqrt(200), within(0.5));
        assertThat(cost.mean()).isCloseTo(COST, within(3 * cost.error()));
    }

    @Test
    void oneRoundHasNoError() {
        Cost cost = Cost.of(starts(1, 0, 0));
        assertThat(cost.mean()).isEqualTo(COST);
        assertThat(cost.error()).isNaN();
    }

    @Test
    void aLineOfAStartingProcessIsRead() {
        assertThat(Start.parse("4711 8000")).isEqualTo(new Start(4711, 8000));
    }
}
