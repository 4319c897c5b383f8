package io.distributedlock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No promise is broken in any order of events that a seed makes. {@code -Dsimulation.seed=7} repeats the run of one
 * seed.
 */
class SimulationTest {

    private static final int SOME = 100;
    private static final String SEED = "simulation.seed";

    @Test
    void noPromiseIsBrokenInSomeSimulatedRuns() {
        Long only = Long.getLong(SEED);
        Totals totals = new Totals();
        if (only != null) {
            totals.run(only);
        } else {
            for (long seed = 1; seed <= SOME; seed++) {
                totals.run(seed);
            }
        }
        totals.print();
        assertThat(totals.cycles).isPositive();
    }

    @Test
    @Tag("long")
    void noPromiseIsBrokenInMinutesOfSimulatedRuns() {
        long end = System.nanoTime() + Duration.ofMinutes(3).toNanos();
        Totals totals = new Totals();
        for (long seed = System.currentTimeMillis(); System.nanoTime() - end < 0; seed++) {
            totals.run(seed);
        }
        totals.print();
    }

    private static final class Totals {

        private long seeds;
        private long cycles;
        private long faults;

        void run(long seed) {
            Simulation simulation = new Simulation(seed);
            try {
                assertThat(simulation.run()).isEmpty();
            } catch (RuntimeException | Error failure) {
                throw new AssertionError("repeat with -D" + SEED + "=" + seed, failure);
            }
            seeds++;
            cycles += simulation.cycles();
            faults += simulation.faults();
        }

        void print() {
            System.out.println(
                    "simulation: seeds: " + seeds + " cycles: " + cycles + " faults: " + faults + " violations: 0");
        }
    }
}
