package io.distributedlock.benchmarks.startup;

import io.distributedlock.benchmarks.Program;
import io.distributedlock.benchmarks.Report;
import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.Report.Table;
import io.distributedlock.testkit.ChildJvm;
import io.distributedlock.testkit.RedisServer;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Starts the same application again and again, in processes of their own, with locks and without in turns. */
public final class StartUp implements Program {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration LIMIT = Duration.ofMillis(100);

    @Override
    public String name() {
        return "startup";
    }

    @Override
    public String purpose() {
        return "how much longer an application with Redis needs to start because of the starter; 3 minutes, or 15 s with "
                + SHORT;
    }

    @Override
    public Report run(List<String> options, PrintStream progress) {
        int rounds = Program.isShort(options) ? 2 : 25;
        List<Start> with = new ArrayList<>();
        List<Start> without = new ArrayList<>();
        try (RedisServer redis = RedisServer.start()) {
            // The first round fills the caches of the machine.
            measure(redis, false);
            measure(redis, true);
            for (int round = 0; round < rounds; round++) {
                boolean locksFirst = round % 2 == 1;
                for (boolean locks : new boolean[] {locksFirst, !locksFirst}) {
                    (locks ? with : without).add(measure(redis, locks));
                }
                progress.println(
                        "round " + round + ": " + without.get(round) + " without locks, " + with.get(round) + " with");
            }
        }
        long more = differences(with, without);
        return new Report(
                name(),
                Map.of("Java", System.getProperty("java.version", ""), "rounds", String.valueOf(rounds)),
                List.of(Table.of(List.of(row("without locks", without), row("with locks", with)))),
                List.of(
                        "The starter costs " + more + " ms more; at most " + LIMIT.toMillis() + " are promised.",
                        "Spring Boot with Spring Data Redis, one bean with other advice and one locked bean, no web server; to the first answer of"
                                + " Redis. Medians; the cost is the median of the differences within the rounds, as the machine's speed changes."),
                more <= LIMIT.toMillis());
    }

    private static Start measure(RedisServer redis, boolean locks) {
        try (ChildJvm child =
                ChildJvm.start(StartingProcess.class, String.valueOf(redis.port()), String.valueOf(locks))) {
            String[] figures =
                    child.awaitLine(line -> line.matches("\\d+ \\d+"), PATIENCE).split(" ");
            return new Start(Long.parseLong(figures[0]), Long.parseLong(figures[1]));
        }
    }

    private static Row row(String application, List<Start> starts) {
        long wall = median(starts, Start::wall);
        long cpu = median(starts, Start::cpu);
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("application", application);
        cells.put("ms", String.valueOf(wall));
        cells.put("CPU ms", String.valueOf(cpu));
        return new Row(cells, Map.of("application", application, "ms", wall, "cpu", cpu));
    }

    /** The two starts of a round find the machine in about the same state, the rounds do not. */
    private static long differences(List<Start> with, List<Start> without) {
        return median(IntStream.range(0, with.size())
                .mapToLong(round -> with.get(round).wall() - without.get(round).wall()));
    }

    private static long median(List<Start> starts, ToLongFunction<Start> figure) {
        return median(starts.stream().mapToLong(figure));
    }

    private static long median(LongStream figures) {
        long[] sorted = figures.sorted().toArray();
        return sorted[(sorted.length - 1) / 2];
    }

    /** One start, in milliseconds. */
    private record Start(long wall, long cpu) {
        @Override
        public String toString() {
            return wall + " ms (CPU " + cpu + ")";
        }
    }
}
