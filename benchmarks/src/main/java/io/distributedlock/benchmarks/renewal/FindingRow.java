package io.distributedlock.benchmarks.renewal;

import io.distributedlock.benchmarks.Report.Row;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** How a finding is printed. */
final class FindingRow {

    private FindingRow() {}

    static Row of(Finding finding, Finding redisson) {
        double ratio = finding.clientSecondsPerMinute() / redisson.clientSecondsPerMinute();
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("locks", String.valueOf(finding.locks()));
        cells.put("library", finding.library().title());
        cells.put("client CPU s/min", decimal(finding.clientSecondsPerMinute()));
        cells.put("x Redisson", decimal(ratio));
        cells.put("commands/s", whole(finding.commandsPerSecond()));
        cells.put("scripts/s", whole(finding.scriptsPerSecond()));
        cells.put("Redis CPU s/min", decimal(finding.serverSecondsPerMinute()));
        cells.put("heap B/lock", String.valueOf(finding.heapPerLock()));
        cells.put("lost", String.valueOf(finding.lost()));
        cells.put("shortest lease", finding.shortestLease().toMillis() + " ms");
        return new Row(cells, figures(finding, ratio));
    }

    private static Map<String, Object> figures(Finding finding, double ratio) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("locks", finding.locks());
        figures.put("library", finding.library().title());
        figures.put("version", finding.library().version());
        figures.put("windowMs", finding.window().toMillis());
        figures.put("clientCpuSecondsPerMinute", finding.clientSecondsPerMinute());
        figures.put("clientCpuByRedisson", ratio);
        figures.put("commandsPerSecond", finding.commandsPerSecond());
        figures.put("scriptsPerSecond", finding.scriptsPerSecond());
        figures.put("serverCpuSecondsPerMinute", finding.serverSecondsPerMinute());
        figures.put("heapBytesPerLock", finding.heapPerLock());
        figures.put("lost", finding.lost());
        figures.put("shortestLeaseMs", finding.shortestLease().toMillis());
        return figures;
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%.2f", number);
    }

    private static String whole(double number) {
        return String.format(Locale.ROOT, "%.0f", number);
    }
}
