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
            starts.without().add(start(0, slowness, noise));
            starts.with().add(start(COST, slowness, noise));
        }
        return starts;
    }

    private Start start(int cost, double slowness, double noise) {
        long before = Math.round(600 + slowness * random.nextGaussian());
        return new Start(Math.round(2_000 + 4 * before + cost + noise * random.nextGaussian()), 1, before);
    }

    @Test
    void whatThePaceOfTheMachineExplainsIsNoCost() {
        Cost cost = Cost.of(starts(25, 100, 0));
        assertThat(cost.mean()).isCloseTo(COST, within(0.01));
        assertThat(cost.error()).isLessThan(0.01);
    }

    @Test
    void whatItDoesNotExplainIsInTheError() {
        Cost cost = Cost.of(starts(200, 100, 50));
        assertThat(cost.error()).isCloseTo(50 * Math.sqrt(2.0 / 200), within(1.0));
        assertThat(cost.mean()).isCloseTo(COST, within(3 * cost.error()));
    }

    @Test
    void aMachineOfConstantPaceIsNoProblem() {
        assertThat(Cost.of(starts(10, 0, 0))).isEqualTo(new Cost(COST, 0));
    }

    @Test
    void oneRoundHasNoError() {
        Cost cost = Cost.of(starts(1, 0, 0));
        assertThat(cost.mean()).isEqualTo(COST);
        assertThat(cost.error()).isNaN();
    }

    @Test
    void aLineOfAStartingProcessIsRead() {
        assertThat(Start.parse("4711 8000 650")).isEqualTo(new Start(4711, 8000, 650));
    }
}
