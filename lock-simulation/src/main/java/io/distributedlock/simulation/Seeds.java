package io.distributedlock.simulation;

import io.distributedlock.simulation.clock.Chance;
import io.distributedlock.simulation.server.ServerKind;
import io.distributedlock.testkit.specification.Conformance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Runs seeds, each on one thread, several at a time, and adds up what they have shown. */
final class Seeds {

    private static final int SHRINKING_RUNS = 200;
    private static final int SHOWN_STEPS = 40;
    private static final int WARMING_STEPS = 300;

    private final AtomicLong seeds = new AtomicLong();
    private final AtomicLong cycles = new AtomicLong();
    private final AtomicLong faults = new AtomicLong();
    private final AtomicLong scripts = new AtomicLong();
    private final AtomicLong replayed = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private final AtomicLong violations = new AtomicLong();

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

    /** Runs seeds from this one on while the condition holds; returns the first failure of each that failed. */
    List<String> run(long first, int threads, BooleanSupplier goesOn) throws InterruptedException {
        AtomicLong next = new AtomicLong(first);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<List<String>>> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                workers.add(pool.submit(() -> runWhile(next, goesOn)));
            }
            List<String> failures = new ArrayList<>();
            for (Future<List<String>> worker : workers) {
                failures.addAll(worker.get());
            }
            return failures;
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure);
        } finally {
            pool.shutdownNow();
        }
    }

    private List<String> runWhile(AtomicLong next, BooleanSupplier goesOn) {
        List<String> failures = new ArrayList<>();
        while (violations.get() == 0 && goesOn.getAsBoolean()) {
            failures.addAll(run(next.getAndIncrement()));
        }
        return failures;
    }

    /** Runs one seed; returns how it failed, made as short as it can be. */
    List<String> run(long seed) {
        Plan plan = Plan.drawn(seed);
        Outcome outcome = outcome(plan);
        seeds.incrementAndGet();
        cycles.addAndGet(outcome.cycles());
        faults.addAndGet(outcome.faults());
        scripts.addAndGet(outcome.scripts());
        replayed.addAndGet(outcome.conformance().histories());
        rejected.addAndGet(outcome.conformance().rejected());
        if (outcome.broken().isEmpty()) {
            return List.of();
        }
        violations.incrementAndGet();
        return List.of(described(plan, outcome));
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

    String totals() {
        return "simulation: seeds: " + seeds + " cycles: " + cycles + " faults: " + faults + " violations: "
                + violations + " scripts: " + scripts;
    }

    /** A rejected history is a violation, too. */
    String conformance() {
        return "conformance: histories: " + replayed + " rejected: " + rejected;
    }

    long replayed() {
        return replayed.get();
    }

    long cycles() {
        return cycles.get();
    }
}
