package io.distributedlock.benchmarks.annotation;

import io.distributedlock.benchmarks.Program;
import io.distributedlock.benchmarks.Report;
import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.Report.Table;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Holds a call of an annotated method against the same call by the template. */
public final class Overhead implements Program {

    private static final Duration LIMIT = Duration.ofNanos(1_000);

    @Override
    public String name() {
        return "annotation";
    }

    @Override
    public String purpose() {
        return "what a call costs more by @DistributedLock than by the template; 1 minute, or 5 s with " + SHORT;
    }

    @Override
    public Report run(List<String> options, PrintStream progress) {
        Map<String, Double> nanos = new LinkedHashMap<>();
        for (String call : List.of("template", "annotation")) {
            nanos.put(call, nanos(call, Program.isShort(options)));
            progress.println(call + " done");
        }
        double more = nanos.getOrDefault("annotation", 0.0) - nanos.getOrDefault("template", 0.0);
        List<Row> rows = nanos.entrySet().stream()
                .map(call -> row("by the " + call.getKey(), call.getValue()))
                .toList();
        List<String> notes = List.of(
                String.format(
                        Locale.ROOT,
                        "The annotation costs %.0f ns more; at most %d are promised.",
                        more,
                        LIMIT.toNanos()),
                "One thread, a key of one argument, calls that are covered by a lock of the thread.");
        return new Report(
                name(),
                Map.of("Java", System.getProperty("java.version", "")),
                List.of(Table.of(rows)),
                notes,
                more <= LIMIT.toNanos());
    }

    private static Row row(String call, double nanos) {
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("call", call);
        cells.put("ns", String.format(Locale.ROOT, "%.0f", nanos));
        return new Row(cells, Map.of("call", call, "ns", nanos));
    }

    private static double nanos(String call, boolean brief) {
        TimeValue iteration = TimeValue.milliseconds(brief ? 300 : 1_000);
        Options options = new OptionsBuilder()
                .include("^" + AnnotatedCall.class.getName().replace(".", "\\.") + "\\." + call + "$")
                .forks(brief ? 1 : 3)
                .warmupIterations(brief ? 2 : 4)
                .warmupTime(iteration)
                .measurementIterations(brief ? 2 : 5)
                .measurementTime(iteration)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        try {
            RunResult result = new Runner(options).run().iterator().next();
            return result.getPrimaryResult().getScore();
        } catch (RunnerException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
