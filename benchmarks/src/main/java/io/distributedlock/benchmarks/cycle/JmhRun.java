package io.distributedlock.benchmarks.cycle;

import io.distributedlock.benchmarks.figures.Headings;
import io.distributedlock.benchmarks.figures.Round;
import io.distributedlock.benchmarks.peer.Peer;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One run of {@link Cycle} in a JVM of its own.
 *
 * @param port of Redis on 127.0.0.1
 * @param threads each with its own lock
 * @param jvmOptions further options of that JVM
 */
public record JmhRun(int port, int threads, Duration warmUp, Duration length, List<String> jvmOptions) {

    private static final String HEAP = "-Xmx1g";
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    /** @throws IllegalStateException if the peer fails */
    public Round of(Peer peer) {
        try {
            Collection<RunResult> results = new Runner(options(peer)).run();
            return round(results.iterator().next());
        } catch (RunnerException failed) {
            throw new IllegalStateException(innermost(failed), failed);
        }
    }

    private org.openjdk.jmh.runner.options.Options options(Peer peer) {
        return new OptionsBuilder()
                .include("^" + Cycle.class.getName().replace(".", "\\.") + "\\.cycle$")
                .param("peer", peer.name())
                .param("port", String.valueOf(port))
                .threads(threads)
                .mode(threads == 1 ? Mode.SampleTime : Mode.Throughput)
                .forks(1)
                .warmupIterations(1)
                .warmupTime(TimeValue.milliseconds(warmUp.toMillis()))
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(length.toMillis()))
                .timeout(TimeValue.milliseconds(LIMIT.toMillis()))
                .jvmArgs(HEAP)
                .jvmArgsAppend(jvmOptions.toArray(String[]::new))
                .addProfiler(CpuProfiler.class)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
    }

    private Round round(RunResult result) {
        Map<String, Double> values = new LinkedHashMap<>();
        Result<?> primary = result.getPrimaryResult();
        if (threads == 1) {
            // JMH timed each cycle, in seconds; with one thread the mean is the reciprocal of the rate.
            values.put(Headings.CYCLES, 1 / primary.getScore());
            values.put(Headings.P50_US, primary.getStatistics().getPercentile(50) * 1e6);
            values.put(Headings.P99_US, primary.getStatistics().getPercentile(99) * 1e6);
        } else {
            values.put(Headings.CYCLES, primary.getScore());
        }
        values.put(Headings.CLIENT_CPU, secondary(result, CpuProfiler.CLIENT));
        values.put(Headings.SERVER_CPU, secondary(result, CpuProfiler.SERVER));
        values.put(Headings.ALLOCATED, secondary(result, ALLOCATED));
        return Round.of(values);
    }

    private static double secondary(RunResult result, String name) {
        return result.getSecondaryResults().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(name))
                .mapToDouble(entry -> entry.getValue().getScore())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("JMH gave no " + name));
    }

    private static String innermost(Throwable failure) {
        Throwable each = failure;
        while (each.getCause() != null || each.getSuppressed().length > 0) {
            each = each.getCause() != null ? each.getCause() : each.getSuppressed()[0];
        }
        return each.getClass().getSimpleName() + ": " + each.getMessage();
    }
}
