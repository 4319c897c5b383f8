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
        return "how much longer an application with Redis needs to start because of the starter; 1 minute, or 10 s with "
                + SHORT;
    }

    @Override
    public Report run(List<String> options, PrintStream progress) {
        int rounds = Program.isShort(options) ? 2 : 15;
        List<Start> with = new ArrayList<>();
        List<Start> without = new ArrayList<>();
        try (RedisServer redis = RedisServer.start()) {
            // The first round fills the caches of the machine.
            measure(redis, false);
            measure(redis, true);
            for (int round = 0; round < rounds; round++) {
                without.add(measure(redis, false));
                with.add(measure(redis, true));
                progress.println(
                        "round " + round + ": " + without.get(round) + " without locks, " + with.get(round) + " with");
            }
        }
        long more = median(with, Start::wall) - median(without, Start::wall);
        return new Report(
                name(),
                Map.of("Java", System.getProperty("java.version", ""), "rounds", String.valueOf(rounds)),
                List.of(Table.of(List.of(row("without locks", without), row("with locks", with)))),
                List.of(
                        "The starter costs " + more + " ms more; at most " + LIMIT.toMillis() + " are promised.",
                        "Spring Boot with Spring Data Redis, one bean with other advice and one locked bean, no web server; to the first answer of"
                                + " Redis. Medians."),
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

    private static long median(List<Start> starts, ToLongFunction<Start> figure) {
        return starts.stream()
                .mapToLong(figure)
                .sorted()
                .skip((starts.size() - 1) / 2)
                .findFirst()
                .orElse(0L);
    }

    /** One start, in milliseconds. */
    private record Start(long wall, long cpu) {
        @Override
        public String toString() {
            return wall + " ms (CPU " + cpu + ")";
        }
    }
}
