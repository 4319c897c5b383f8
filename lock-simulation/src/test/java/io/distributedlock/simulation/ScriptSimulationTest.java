package io.distributedlock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No promise is broken in any order of events that a seed makes. {@code -Dsimulation.seed=7} repeats the run of one
 * seed.
 */
class ScriptSimulationTest {

    private static final int SOME = 6;
    private static final String SEED = "simulation.seed";
    private static final Logger WARNINGS = Logger.getLogger("");

    private final Seeds seeds = new Seeds();

    /** Each run warns of what fails in it. */
    @BeforeEach
    void beQuiet() {
        WARNINGS.setLevel(Level.OFF);
    }

    @Test
    void noPromiseIsBrokenInSomeRuns() throws InterruptedException {
        Long only = Long.getLong(SEED);
        long[] left = {SOME};
        List<String> failures = only != null ? seeds.run(only) : seeds.run(1, 1, () -> left[0]-- > 0);
        System.out.println(seeds.totals());
        assertThat(failures).isEmpty();
        assertThat(seeds.cycles()).isPositive();
    }

    @Test
    void aSeedRepeatsItsRun() {
        Plan plan = shortened(Plan.drawn(8));
        assertThat(new Simulation(plan).run()).isEqualTo(new Simulation(plan).run());
    }

    @Test
    void aFailureIsShrunkToWhatItNeeds() {
        Plan plan = shortened(Plan.drawn(8));
        Step needed = plan.steps().get(77);
        Plan shorter = new Shrinker(each -> each.steps().contains(needed), 1_000).shrink(plan);
        assertThat(shorter.steps()).containsExactly(needed);
    }

    private static Plan shortened(Plan plan) {
        return plan.with(plan.steps().subList(0, 200));
    }

    @Test
    @Tag("long")
    void noPromiseIsBrokenInMinutesOfRuns() throws InterruptedException {
        long begin = System.nanoTime();
        Duration time = Duration.ofSeconds(Integer.getInteger("simulation.seconds", 300));
        int threads = Runtime.getRuntime().availableProcessors();
        List<String> failures =
                seeds.run(System.currentTimeMillis(), threads, () -> System.nanoTime() - begin < time.toNanos());
        System.out.println(seeds.totals());
        System.out.printf(
                Locale.ROOT,
                "simulation: %,d cycles a minute on %d threads%n",
                seeds.cycles() * 60_000_000_000L / (System.nanoTime() - begin),
                threads);
        assertThat(failures).isEmpty();
    }
}
