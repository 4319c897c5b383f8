package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.Program;
import io.distributedlock.benchmarks.Report;
import io.distributedlock.benchmarks.Report.Table;
import io.distributedlock.benchmarks.WrongUsage;
import io.distributedlock.benchmarks.contender.Library;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.LettuceVersion;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.data.redis.core.RedisTemplate;

/** Replays the incident that this project began with, and its relatives, against each library. */
public final class Incident implements Program {

    private static final int OWN_RUNS = 20;
    private static final int OTHERS_RUNS = 2;
    /** Runs at the same time. Our own are timed to the millisecond, so fewer of them share the machine. */
    private static final int OWN_PARALLEL = 4;

    private static final int OTHERS_PARALLEL = 10;

    @Override
    public String name() {
        return "incident";
    }

    @Override
    public String purpose() {
        return "lost replies and killed clients: what callers learn, and how long the lock stays taken; 2 minutes";
    }

    @Override
    public Report run(List<String> options, PrintStream progress) {
        WrongUsage.unlessEmpty(options);
        // A fault can kill a library's renewal thread; the table tells what comes of it.
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {});
        try (RedisServer redis = RedisServer.start()) {
            List<CaseResult> results = new ArrayList<>();
            Duration stall;
            try (Runs runs = new Runs(redis, OWN_PARALLEL, progress);
                    StallRecorder stalls = new StallRecorder()) {
                results.addAll(runs.of(List.of(Library.DISTRIBUTED_LOCK), OWN_RUNS));
                stall = stalls.longest();
            }
            try (Runs runs = new Runs(redis, OTHERS_PARALLEL, progress)) {
                List<Library> others = Arrays.stream(Library.values())
                        .filter(each -> each != Library.DISTRIBUTED_LOCK)
                        .toList();
                results.addAll(runs.of(others, OTHERS_RUNS));
            }
            results.sort(Comparator.comparing(CaseResult::faultCase).thenComparing(CaseResult::library));
            return report(results, setup(redis, stall));
        }
    }

    private Report report(List<CaseResult> results, Map<String, String> setup) {
        List<String> missed = results.stream()
                .filter(each -> each.library() == Library.DISTRIBUTED_LOCK)
                .flatMap(each -> Bounds.missed(each).stream())
                .toList();
        List<String> notes = new ArrayList<>(notes());
        notes.addAll(missed);
        Table table = Table.of(results.stream().map(ResultRow::of).toList());
        return new Report(name(), setup, List.of(table), notes, missed.isEmpty());
    }

    private static Map<String, String> setup(RedisServer redis, Duration stall) {
        Map<String, String> setup = new LinkedHashMap<>();
        for (Library library : Library.values()) {
            setup.put(library.title(), library.version());
        }
        setup.put("Lettuce", LettuceVersion.getVersion().replaceAll("/.*", ""));
        setup.put("Spring Data Redis", RedisTemplate.class.getPackage().getImplementationVersion());
        String info = String.valueOf(redis.command("INFO", "server"));
        setup.put("Redis", info.replaceAll("(?s).*redis_version:(\\S+).*", "$1"));
        setup.put("Java", System.getProperty("java.version"));
        setup.put("longest stall of the machine", DurationFormat.text(stall));
        return setup;
    }

    private static List<String> notes() {
        return List.of(
                "Every client waits at most 1 s for a reply and 3 s for a lock; all else is the library's default."
                        + " Which caller gets the answer that it has the lock"
                        + " releases it at once.",
                "1: ttl 2 h; the acquire is executed, then the line is dead for 2.5 s, is reset, and works again. 2:"
                        + " dead for 0.3 s, closed by FIN.",
                "3: a lease of 3 s that is renewed; at the release the line is dead for 1.2 s, is reset, and works"
                        + " again.",
                "4: ttl 2 h; the process is killed (SIGKILL) after the acquire was executed and before its reply"
                        + " arrived. A lock that is renewed"
                        + " instead would be free after its lease, with any of them.",
                "The key's stay counts from when Redis can be reached again, or the client is dead. It is watched for "
                        + DurationFormat.text(Recovery.WINDOW)
                        + ", while a second client waits for the lock; then the first client tries again.");
    }
}
