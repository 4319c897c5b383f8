package io.distributedlock.benchmarks.renewal;

import io.distributedlock.benchmarks.Program;
import io.distributedlock.benchmarks.Report;
import io.distributedlock.benchmarks.Report.Table;
import io.distributedlock.benchmarks.contender.Library;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Holds many locks in one process with each library that renews its locks, and tells what that costs. */
public final class Renewal implements Program {

    private static final String MOST = "--most";
    private static final List<Library> LIBRARIES =
            List.of(Library.DISTRIBUTED_LOCK, Library.REDISSON, Library.SPRING_INTEGRATION);
    private static final List<Integer> LOCKS = List.of(1_000, 10_000, 50_000);
    private static final List<Integer> FEWER_LOCKS = LOCKS.subList(0, 2);
    private static final Duration WINDOW = HeldLocks.LEASE.multipliedBy(4);

    @Override
    public String name() {
        return "renewal";
    }

    @Override
    public String purpose() {
        return "1,000 to 50,000 locks held by one process: what renewing them costs; 9 minutes; 6 with " + SHORT
                + ", up to 10,000, and 3 with " + MOST + ", only 50,000";
    }

    @Override
    public Report run(List<String> options, PrintStream progress) {
        List<RenewalResult> results = new ArrayList<>();
        for (int locks : numbers(options)) {
            for (Library library : LIBRARIES) {
                results.add(new RenewalMeasurement(library, locks, WINDOW).measure());
                progress.println(library.title() + ": " + locks + " locks done");
            }
        }
        List<String> missed = Targets.missed(results);
        List<String> notes = new ArrayList<>(notes());
        notes.addAll(missed);
        Table table = Table.of(results.stream()
                .map(result -> ResultRow.of(result, Targets.redisson(results, result.locks())))
                .toList());
        return new Report(name(), setup(), List.of(table), notes, missed.isEmpty());
    }

    private static List<Integer> numbers(List<String> options) {
        if (options.equals(List.of(MOST))) {
            return LOCKS.subList(FEWER_LOCKS.size(), LOCKS.size());
        }
        return Program.isShort(options) ? FEWER_LOCKS : LOCKS;
    }

    private static Map<String, String> setup() {
        Map<String, String> setup = new LinkedHashMap<>();
        LIBRARIES.forEach(library -> setup.put(library.title(), library.version()));
        setup.put("Java", System.getProperty("java.version"));
        setup.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
        return setup;
    }

    private static List<String> notes() {
        return List.of(
                "Each row: a process of its own with 256 MiB of heap, a Redis of its own on the same machine, leases"
                        + " of "
                        + HeldLocks.LEASE.toSeconds() + " s, measured for " + WINDOW.toSeconds()
                        + " s after nine periods of renewal. Spring Integration has 4 threads for renewals.",
                "Heap per lock: what is in use after a collection, less what was before the locks were taken, with"
                        + " the object that releases"
                        + " each. Lost: not in Redis any more. The shortest lease is that of "
                        + "1,000 random locks at the end.");
    }
}
