package io.distributedlock.benchmarks.cycle;

import io.distributedlock.benchmarks.figures.Headings;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One run of {@link Cycle} by JMH.
 *
 * @param threads each with its own lock
 */
record CycleRun(int threads, Duration warmUp, Duration length) {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final double MICROS_PER_SECOND = 1e6;

    /** By heading; throws an IllegalStateException if the peer fails. */
    Map<String, Double> of(String peer, String port) {
        try {
            Collection<RunResult> results = new Runner(options(peer, port)).run();
            return values(results.iterator().next());
        } catch (RunnerException failed) {
            throw new IllegalStateException(innermost(failed), failed);
        }
    }

    private Options options(String peer, String port) {
        return new OptionsBuilder()
                .include("^" + Cycle.class.getName().replace(".", "\\.") + "\\.cycle$")
                .param("peer", peer)
                .param("port", port)
                .threads(threads)
                .mode(threads == 1 ? Mode.SampleTime : Mode.Throughput)
                // This process is the fork: it runs nothing but this benchmark with this peer.
                .forks(0)
                .warmupIterations(1)
                .warmupTime(TimeValue.milliseconds(warmUp.toMillis()))
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(length.toMillis()))
                .timeout(TimeValue.milliseconds(LIMIT.toMillis()))
                .addProfiler(CpuProfiler.class)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
    }

    private Map<String, Double> values(RunResult result) {
        Map<String, Double> values = new LinkedHashMap<>();
        Result<?> primary = result.getPrimaryResult();
        if (threads == 1) {
            // JMH timed each cycle, in seconds; with one thread the rate is the reciprocal of the mean.
            values.put(Headings.CYCLES, 1 / primary.getScore());
            values.put(Headings.P50_US, primary.getStatistics().getPercentile(50) * MICROS_PER_SECOND);
            values.put(Headings.P99_US, primary.getStatistics().getPercentile(99) * MICROS_PER_SECOND);
        } else {
            values.put(Headings.CYCLES, primary.getScore());
        }
        values.put(Headings.CLIENT_CPU, secondary(result, CpuProfiler.CLIENT));
        values.put(Headings.SERVER_CPU, secondary(result, CpuProfiler.SERVER));
        values.put(Headings.ALLOCATED, secondary(result, ALLOCATED));
        return values;
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
