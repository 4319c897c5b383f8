package io.distributedlock.campaign.mutant;

import io.distributedlock.campaign.client.Mutation;
import io.distributedlock.campaign.process.Environment;
import io.distributedlock.testkit.check.CampaignReport;
import io.distributedlock.testkit.check.Violation;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** One run of a small campaign with one mutation. */
final class ScenarioRun {

    private static final Duration SAMPLE_PERIOD = Duration.ofMillis(1);
    private static final Duration SLICE = Duration.ofMillis(400);

    private final RedisServer server;
    private final Scenario scenario;
    private final Mutation mutation;
    private final long seed;
    private final Path folder;
    private History history = History.of(List.of());

    ScenarioRun(RedisServer server, Scenario scenario, Mutation mutation, long seed, Path folder) {
        this.server = server;
        this.scenario = scenario;
        this.mutation = mutation;
        this.seed = seed;
        this.folder = folder;
    }

    /** Runs until what has been found is enough, or the time is over. */
    CampaignReport run(Duration length, Predicate<CampaignReport> enough) {
        server.command("FLUSHALL");
        server.command("ACL", "SETUSER", "default", "+client|kill");
        Random seeds = new Random(seed);
        try (Environment environment = new Environment(server, scenario.workload(), folder, SAMPLE_PERIOD)) {
            environment.open(mutation.over(scenario.ground()), seeds);
            Random random = new Random(seeds.nextLong());
            CompletableFuture<Void> script = CompletableFuture.runAsync(() -> injectFaults(environment, random));
            long begin = System.nanoTime();
            CampaignReport sofar = new CampaignReport(scenario.name(), 0, 0, List.of());
            while (!enough.test(sofar) && System.nanoTime() - begin < length.toNanos()) {
                environment.pacer().pause(SLICE);
                sofar = report(environment);
            }
            environment.pacer().end();
            script.join();
            environment.stop();
            return enough.test(sofar) ? sofar : report(environment);
        }
    }

    private void injectFaults(Environment environment, Random random) {
        while (!environment.pacer().isOver()) {
            scenario.script().inject(environment, random);
        }
    }

    private CampaignReport report(Environment environment) {
        history = environment.recorder().history();
        CampaignReport report = CampaignReport.of(scenario.name(), history, scenario.limits());
        List<Violation> violations = new ArrayList<>(report.violations());
        environment
                .errors()
                .forEach(error ->
                        violations.add(new Violation("nothing unexpected is thrown", "", error.toString(), List.of())));
        return new CampaignReport(scenario.name(), report.cycles(), report.faults(), violations);
    }

    History history() {
        return history;
    }
}
