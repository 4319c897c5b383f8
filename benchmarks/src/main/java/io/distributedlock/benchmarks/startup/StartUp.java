package io.distributedlock.benchmarks.startup;

import io.distributedlock.benchmarks.Program;
import io.distributedlock.benchmarks.Report;
import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.Report.Table;
import io.distributedlock.testkit.process.ChildJvm;
import io.distributedlock.testkit.server.RedisServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts the same applications again and again, in two processes at the same time: one with locks and one without. */
public final class StartUp implements Program {

    @Override
    public String name() {
        return "startup";
    }

    @Override
    public String purpose() {
        return "how much longer the sample, and a small application, need to start because of the starter; 10"
                + " minutes, or 1 min with "
                + SHORT + "; " + StartUpOptions.ROUNDS + " N for another number of rounds than 25, "
                + StartUpOptions.SAMPLE_ONLY
                + " for the sample alone";
    }

    @Override
    public Report run(List<String> options, PrintStream progress) {
        StartUpOptions wanted = StartUpOptions.of(options);
        Map<Subject, Starts> all = new EnumMap<>(Subject.class);
        try (RedisServer redis = RedisServer.start()) {
            for (Subject subject : wanted.subjects()) {
                all.put(subject, rounds(subject, redis, wanted.rounds(), progress));
            }
        }
        List<Row> rows = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        all.forEach((subject, starts) -> {
            rows.add(row(subject + " without locks", starts.without()));
            rows.add(row(subject + " with locks", starts.with()));
            remarks.add(cost(subject, starts));
        });
        remarks.add("The sample: web, database, metrics, actuator; until it is ready, with the options of the JVM that"
                + " spring-boot:run sets, and in"
                + " production with none. The small one: Spring Data Redis, one bean with other advice and one"
                + " locked bean, no web server; until the first answer of Redis. Medians in the table; both"
                + " starts of a round run at the same time, so each takes longer than alone.");
        return new Report(
                name(),
                Map.of("Java", System.getProperty("java.version", ""), "rounds", String.valueOf(wanted.rounds())),
                List.of(Table.of(rows)),
                remarks,
                true);
    }

    private static String cost(Subject subject, Starts starts) {
        Cost cost = Cost.of(starts);
        return "The starter costs %.0f ms in %s, with a standard error of %.0f (median %d)."
                .formatted(cost.mean(), subject, cost.error(), Starts.median(starts.differences()));
    }

    private static Starts rounds(Subject subject, RedisServer redis, int rounds, PrintStream progress) {
        Starts starts = Starts.none();
        // The first round fills the caches of the machine.
        startBoth(subject, redis, true, Starts.none());
        for (int round = 0; round < rounds; round++) {
            startBoth(subject, redis, round % 2 == 1, starts);
            progress.println(subject + ", round " + round + ": "
                    + starts.without().get(round) + " without locks, "
                    + starts.with().get(round) + " with");
        }
        return starts;
    }

    /** What the machine does to one of them, it does to the other. */
    private static void startBoth(Subject subject, RedisServer redis, boolean locksFirst, Starts starts) {
        try (ChildJvm first = subject.start(redis, locksFirst);
                ChildJvm second = subject.start(redis, !locksFirst)) {
            starts.with().add(Subject.end(locksFirst ? first : second));
            starts.without().add(Subject.end(locksFirst ? second : first));
        }
    }

    private static Row row(String application, List<Start> starts) {
        long wall = Starts.median(starts, Start::wall);
        long cpu = Starts.median(starts, Start::cpu);
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("application", application);
        cells.put("ms", String.valueOf(wall));
        cells.put("CPU ms", String.valueOf(cpu));
        return new Row(cells, Map.of("application", application, "ms", wall, "cpu", cpu));
    }
}
