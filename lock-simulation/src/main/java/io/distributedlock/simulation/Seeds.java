package io.distributedlock.simulation;

import io.distributedlock.simulation.clock.Chance;
import io.distributedlock.simulation.server.ServerKind;
import io.distributedlock.testkit.specification.Conformance;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Runs seeds and adds up what they have shown.
 *
 * <p>What {@link java.util.concurrent.ThreadLocalRandom} draws depends on the number of the thread, too. So a run is
 * repeated on the main thread of a process only, and several processors need several processes.
 */
final class Seeds {

    private static final int SHRINKING_RUNS = 200;
    private static final int SHOWN_STEPS = 40;
    private static final int WARMING_STEPS = 300;

    private Totals totals = Totals.NONE;

    Seeds() {
        Chance.install();
        Arrays.stream(ServerKind.values()).forEach(Seeds::warmUp);
    }

    /** What classes draw while they are loaded is not part of a run. */
    private static void warmUp(ServerKind kind) {
        Plan plan = LongStream.iterate(1, seed -> seed + 1)
                .mapToObj(Plan::drawn)
                .filter(drawn -> drawn.setting().server() == kind)
                .findFirst()
                .orElseThrow();
        new Simulation(plan.with(plan.steps().subList(0, WARMING_STEPS))).run();
    }

    /** Runs {@code first} and every {@code step}-th seed after it while the condition holds; returns how one failed. */
    List<String> run(long first, int step, BooleanSupplier goesOn) {
        List<String> failures = List.of();
        for (long seed = first; failures.isEmpty() && goesOn.getAsBoolean(); seed += step) {
            failures = run(seed);
        }
        return failures;
    }

    /** Runs one seed; returns how it failed, made as short as it can be. */
    List<String> run(long seed) {
        Plan plan = Plan.drawn(seed);
        Outcome outcome = outcome(plan);
        totals = totals.and(Totals.of(outcome));
        return outcome.broken().isEmpty() ? List.of() : List.of(described(plan, outcome));
    }

    /** A run that ends with an exception has failed, too. */
    static Outcome outcome(Plan plan) {
        try {
            return new Simulation(plan).run();
        } catch (RuntimeException | Error failure) {
            return new Outcome(plan.seed(), 0, 0, 0, 0, Conformance.NONE, List.of("the run failed: " + failure));
        }
    }

    private static String described(Plan plan, Outcome outcome) {
        Plan shorter = new Shrinker(each -> !outcome(each).broken().isEmpty(), SHRINKING_RUNS).shrink(plan);
        return "repeat with -Dsimulation.seed=" + plan.seed() + "\n  "
                + outcome.broken().get(0) + "\n  in "
                + plan.setting() + "\n  " + plan.steps().size() + " steps with " + plan.faults() + " faults; "
                + shorter.steps().size() + " steps with " + shorter.faults() + " faults fail as well: "
                + outcome(shorter).broken() + "\n    "
                + shorter.steps().stream()
                        .limit(SHOWN_STEPS)
                        .map(Step::toString)
                        .collect(Collectors.joining("\n    "));
    }

    Totals totals() {
        return totals;
    }
}
