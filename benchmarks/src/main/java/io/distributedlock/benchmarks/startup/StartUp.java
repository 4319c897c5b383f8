package io.distributedlock.benchmarks.startup;

import io.distributedlock.benchmarks.Program;
import io.distributedlock.benchmarks.Report;
import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.Report.Table;
import io.distributedlock.testkit.RedisServer;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts the same applications again and again, in processes of their own, with locks and without in turns. */
public final class StartUp implements Program {

    private static final Duration LIMIT = Duration.ofMillis(100);

    @Override
    public String name() {
        return "startup";
    }

    @Override
    public String purpose() {
        return "how much longer the sample, and a small application, need to start because of the starter; 7 minutes, or 40 s with "
                + SHORT;
    }

    @Override
    public Report run(List<String> options, PrintStream progress) {
        int rounds = Program.isShort(options) ? 2 : 25;
        Map<Subject, Starts> all = new EnumMap<>(Subject.class);
        try (RedisServer redis = RedisServer.start()) {
            for (Subject subject : Subject.values()) {
                all.put(subject, rounds(subject, redis, rounds, progress));
            }
        }
        List<Row> rows = new ArrayList<>();
        List<String> remarks = new ArrayList<>();
        all.forEach((subject, starts) -> {
            rows.add(row(subject + " without locks", starts.without()));
            rows.add(row(subject + " with locks", starts.with()));
            remarks.add("The starter costs %d ms in %s (%d between the quickest quarters)."
                    .formatted(starts.more(), subject, starts.moreOfQuick()));
        });
        remarks.add("At most " + LIMIT.toMillis() + " ms are promised in " + Subject.SAMPLE + ".");
        remarks.add(
                "The sample: web, database, metrics, actuator; until it is ready. The small one: Spring Data Redis, one bean with other advice and one"
                        + " locked bean, no web server; until the first answer of Redis. Medians; the cost is the median of the differences within the rounds, as"
                        + " the machine's speed changes.");
        return new Report(
                name(),
                Map.of("Java", System.getProperty("java.version", ""), "rounds", String.valueOf(rounds)),
                List.of(Table.of(rows)),
                remarks,
                all.getOrDefault(Subject.SAMPLE, Starts.none()).more() <= LIMIT.toMillis());
    }

    private static Starts rounds(Subject subject, RedisServer redis, int rounds, PrintStream progress) {
        Starts starts = Starts.none();
        // The first round fills the caches of the machine.
        subject.start(redis, false);
        subject.start(redis, true);
        for (int round = 0; round < rounds; round++) {
            boolean locksFirst = round % 2 == 1;
            for (boolean locks : new boolean[] {locksFirst, !locksFirst}) {
                (locks ? starts.with() : starts.without()).add(subject.start(redis, locks));
            }
            progress.println(subject + ", round " + round + ": "
                    + starts.without().get(round) + " without locks, "
                    + starts.with().get(round) + " with");
        }
        return starts;
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
