package io.distributedlock.campaign;

import io.distributedlock.testkit.RedisServer;
import io.distributedlock.testkit.history.CampaignReport;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.Violation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** One run of a small campaign with one mutation. */
final class Trial {

    private static final Duration SAMPLE_PERIOD = Duration.ofMillis(1);
    private static final Duration SLICE = Duration.ofMillis(400);

    private final RedisServer server;
    private final Scenario scenario;
    private final Mutation mutation;
    private final long seed;
    private final Path folder;
    private History history = History.of(List.of());

    Trial(RedisServer server, Scenario scenario, Mutation mutation, long seed, Path folder) {
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
        try (Stage stage = new Stage(server, scenario.setting(), folder, SAMPLE_PERIOD)) {
            stage.open(mutation.over(scenario.ground()), seeds);
            Random random = new Random(seeds.nextLong());
            CompletableFuture<Void> script = CompletableFuture.runAsync(() -> play(stage, random));
            long begin = System.nanoTime();
            CampaignReport sofar = new CampaignReport(scenario.name(), 0, 0, List.of());
            while (!enough.test(sofar) && System.nanoTime() - begin < length.toNanos()) {
                stage.pacer().pause(SLICE);
                sofar = report(stage);
            }
            stage.pacer().end();
            script.join();
            stage.stop();
            return enough.test(sofar) ? sofar : report(stage);
        }
    }

    private void play(Stage stage, Random random) {
        while (!stage.pacer().isOver()) {
            scenario.script().play(stage, random);
        }
    }

    private CampaignReport report(Stage stage) {
        history = stage.recorder().history();
        CampaignReport report = CampaignReport.of(scenario.name(), history, scenario.limits());
        List<Violation> violations = new ArrayList<>(report.violations());
        stage.surprises()
                .forEach(surprise -> violations.add(
                        new Violation("nothing unexpected is thrown", "", surprise.toString(), List.of())));
        return new CampaignReport(scenario.name(), report.cycles(), report.faults(), violations);
    }

    History history() {
        return history;
    }
}
