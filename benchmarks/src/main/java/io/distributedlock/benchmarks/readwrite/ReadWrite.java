package io.distributedlock.benchmarks.readwrite;

import io.distributedlock.LockClient;
import io.distributedlock.benchmarks.Program;
import io.distributedlock.benchmarks.Report;
import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.Report.Table;
import io.distributedlock.benchmarks.figures.Digits;
import io.distributedlock.benchmarks.figures.Spread;
import io.distributedlock.benchmarks.readwrite.ReadersAndWriters.Mix;
import io.distributedlock.benchmarks.readwrite.ReadersAndWriters.Rate;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Holds a lock that readers share against the same lock taken exclusively by all. Both take turns. */
public final class ReadWrite implements Program {

    /** In sections of a millisecond, the way to the store and back counts as much as the section. */
    private static final List<Mix> MIXES =
            List.of(new Mix(16, 90, Duration.ofMillis(1)), new Mix(16, 90, Duration.ofMillis(5)));

    @Override
    public String name() {
        return "readwrite";
    }

    @Override
    public String purpose() {
        return "16 threads, 90 % of them readers: a lock that readers share, and an exclusive one; 1 min, or 6 s with "
                + SHORT;
    }

    @Override
    public Report run(List<String> options, PrintStream progress) {
        boolean brief = Program.isShort(options);
        List<Row> rows = new ArrayList<>();
        double least = Double.MAX_VALUE;
        for (Mix mix : MIXES) {
            List<Rate> exclusive = new ArrayList<>();
            List<Rate> shared = new ArrayList<>();
            measure(mix, brief, exclusive, shared);
            double factor = all(shared).median() / all(exclusive).median();
            least = Math.min(least, factor);
            rows.add(row(mix, "exclusive", exclusive, 1));
            rows.add(row(mix, "shared by readers", shared, factor));
            progress.println("sections of " + mix.section().toMillis() + " ms done");
        }
        List<String> notes = List.of(
                "16 threads of one process, 90 % of the sections read; median of the rounds, with the least and the"
                        + " most.",
                least > 1 ? "Readers that share are faster." : "NOT KEPT: readers that share are not always faster");
        Map<String, String> setup = Map.of("Java", System.getProperty("java.version", ""));
        return new Report(name(), setup, List.of(Table.of(rows)), notes, least > 1);
    }

    private static void measure(Mix mix, boolean brief, List<Rate> exclusive, List<Rate> shared) {
        Duration turn = Duration.ofSeconds(brief ? 1 : 3);
        try (RedisServer server = RedisServer.start();
                LockClient client = LockClient.builder(RedisLockStore.of(RedisURI.create(server.uri())))
                        .build()) {
            new ReadersAndWriters(client, mix, true).work("warm-up", turn);
            for (int round = 0; round < (brief ? 1 : 4); round++) {
                exclusive.add(new ReadersAndWriters(client, mix, false).work("exclusive", turn));
                shared.add(new ReadersAndWriters(client, mix, true).work("shared", turn));
            }
        }
    }

    private static Spread all(List<Rate> rates) {
        return Spread.of(rates.stream().map(Rate::all).toList());
    }

    private static Row row(Mix mix, String lock, List<Rate> rates, double factor) {
        Spread writes = Spread.of(rates.stream().map(Rate::writes).toList());
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("section ms", String.valueOf(mix.section().toMillis()));
        cells.put("lock", lock);
        cells.put("sections/s", Digits.of(all(rates)));
        cells.put("of these writing", Digits.of(writes));
        cells.put("x exclusive", Digits.of(factor));
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("sectionMs", mix.section().toMillis());
        figures.put("lock", lock);
        figures.put("sectionsPerSecond", all(rates).median());
        figures.put("writesPerSecond", writes.median());
        figures.put("byExclusive", factor);
        return new Row(cells, figures);
    }
}
