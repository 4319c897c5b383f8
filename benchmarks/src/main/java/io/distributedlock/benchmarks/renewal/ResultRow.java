package io.distributedlock.benchmarks.renewal;

import io.distributedlock.benchmarks.Report.Row;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** How a result is printed. */
final class ResultRow {

    private ResultRow() {}

    static Row of(RenewalResult result, RenewalResult redisson) {
        double ratio = result.clientSecondsPerMinute() / redisson.clientSecondsPerMinute();
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("locks", String.valueOf(result.locks()));
        cells.put("library", result.library().title());
        cells.put("client CPU s/min", decimal(result.clientSecondsPerMinute()));
        cells.put("x Redisson", decimal(ratio));
        cells.put("commands/s", whole(result.commandsPerSecond()));
        cells.put("scripts/s", whole(result.scriptsPerSecond()));
        cells.put("Redis CPU s/min", decimal(result.serverSecondsPerMinute()));
        cells.put("heap B/lock", String.valueOf(result.heapPerLock()));
        cells.put("lost", String.valueOf(result.lost()));
        cells.put("shortest lease", result.shortestLease().toMillis() + " ms");
        return new Row(cells, figures(result, ratio));
    }

    private static Map<String, Object> figures(RenewalResult result, double ratio) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("locks", result.locks());
        figures.put("library", result.library().title());
        figures.put("version", result.library().version());
        figures.put("windowMs", result.window().toMillis());
        figures.put("clientCpuSecondsPerMinute", result.clientSecondsPerMinute());
        figures.put("clientCpuByRedisson", ratio);
        figures.put("commandsPerSecond", result.commandsPerSecond());
        figures.put("scriptsPerSecond", result.scriptsPerSecond());
        figures.put("serverCpuSecondsPerMinute", result.serverSecondsPerMinute());
        figures.put("heapBytesPerLock", result.heapPerLock());
        figures.put("lost", result.lost());
        figures.put("shortestLeaseMs", result.shortestLease().toMillis());
        return figures;
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%.2f", number);
    }

    private static String whole(double number) {
        return String.format(Locale.ROOT, "%.0f", number);
    }
}
