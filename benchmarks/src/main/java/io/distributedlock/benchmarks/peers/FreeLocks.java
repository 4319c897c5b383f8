package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.cycle.CycleChild;
import io.distributedlock.benchmarks.figures.Digits;
import io.distributedlock.benchmarks.figures.Headings;
import io.distributedlock.benchmarks.figures.Round;
import io.distributedlock.benchmarks.peer.Catalogue;
import io.distributedlock.benchmarks.peer.Peer;
import io.distributedlock.benchmarks.peer.Trait;
import io.distributedlock.benchmarks.server.Monitor;
import io.distributedlock.benchmarks.server.Monitor.Seen;
import io.distributedlock.benchmarks.server.Work;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Threads of one process that take and release locks without contention; measured by JMH. */
final class FreeLocks implements Scenario {

    private static final Duration RECORDED = Duration.ofSeconds(10);
    /** A new client's first moments in a JVM that is warm. */
    private static final Duration AGAIN = Duration.ofMillis(300);

    private static final List<String> OTHERS = List.of(
            Headings.P50_US,
            Headings.P99_US,
            Headings.CLIENT_CPU,
            Headings.SERVER_CPU,
            Headings.EXECUTING,
            Headings.ALLOCATED);

    private final String id;
    private final String title;
    private final List<Integer> threads;
    private final List<Integer> threadsOfShort;
    private final TableLayout layout;
    private final Duration shortLimit;

    private FreeLocks(
            String id,
            String title,
            List<Integer> threads,
            List<Integer> threadsOfShort,
            TableLayout layout,
            Duration shortLimit) {
        this.id = id;
        this.title = title;
        this.threads = threads;
        this.threadsOfShort = threadsOfShort;
        this.layout = layout;
        this.shortLimit = shortLimit;
    }

    static Scenario oneThread() {
        FigureKey cycles = FigureKey.ours(named(1), Headings.CYCLES);
        List<Target> targets = List.of(
                Target.atLeast(1.25, cycles, cycles.of(Catalogue.REDISSON)),
                Target.atLeast(0.95, cycles, cycles.of(Catalogue.RAW_SYNC)),
                Target.atLeast(1.7, cycles.of(Catalogue.OURS_PIPELINED), cycles.of(Catalogue.RAW_SYNC)));
        TableLayout layout = new TableLayout(Headings.CYCLES, Catalogue.RAW_SYNC, OTHERS, targets);
        return new FreeLocks("1", "one thread, one free lock", List.of(1), List.of(1), layout, Duration.ofSeconds(22));
    }

    static Scenario distinctKeys() {
        FigureKey some = FigureKey.ours(named(32), Headings.CYCLES);
        FigureKey many = FigureKey.ours(named(128), Headings.CYCLES);
        List<Target> targets = List.of(
                Target.atLeast(4.5, some, some.of(Catalogue.REDISSON)),
                Target.atLeast(0.95, some, some.of(Catalogue.RAW_CONSOL)),
                Target.atLeast(4.5, many, many.of(Catalogue.REDISSON)),
                Target.atLeast(0.95, many, many.of(Catalogue.RAW_CONSOL)));
        TableLayout layout = new TableLayout(Headings.CYCLES, Catalogue.RAW_CONSOL, OTHERS, targets);
        return new FreeLocks(
                "2",
                "each thread has its own free lock",
                List.of(2, 8, 32, 128),
                List.of(32, 128),
                layout,
                Duration.ofSeconds(30));
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public TableLayout layout() {
        return layout;
    }

    @Override
    public Duration shortLimit() {
        return shortLimit;
    }

    @Override
    public Comparison run(RunOptions setting) {
        List<Peer> peers = setting.with(Trait.FREE);
        List<ResultLine> lines = new ArrayList<>();
        try (RedisServer redis = RedisServer.start();
                StartedPeers<CycleChild> children =
                        new StartedPeers<>(peers, setting, peer -> open(peer, redis, setting), CycleChild::close)) {
            for (int each : threads(setting.scale())) {
                lines.addAll(new Interleaved(named(each), setting)
                        .run(
                                peers,
                                peer -> round(
                                        redis,
                                        children.of(peer),
                                        each,
                                        setting.scale().length())));
            }
            setting.profile().ifPresent(profile -> record(redis, profile, setting));
        }
        return new Comparison(lines);
    }

    private CycleChild open(Peer peer, RedisServer redis, RunOptions setting) {
        CycleChild child = CycleChild.start(peer, redis.port());
        int most = Collections.max(threads(setting.scale()));
        Duration length = setting.scale().length();
        double rate = WarmUp.of(
                () -> cycles(child.run(most, AGAIN, length)), setting.scale().warmUps());
        setting.progress().println(peer + " is warm at " + Digits.of(rate) + " cycles/s");
        return child;
    }

    private static Round round(RedisServer redis, CycleChild child, int threads, Duration length) {
        Seen seen = Monitor.during(redis, () -> child.run(threads, Duration.ZERO, AGAIN));
        Work before = Work.until(redis);
        Map<String, Double> values =
                new LinkedHashMap<>(child.run(threads, AGAIN, length).values());
        Work work = Work.until(redis).since(before);
        double executing = (double) work.busy(seen).toNanos() / work.cpu().toNanos();
        values.put(Headings.EXECUTING, values.getOrDefault(Headings.SERVER_CPU, 0.0) * executing);
        return Round.of(values);
    }

    private List<Integer> threads(Scale scale) {
        return scale.isShort() ? threadsOfShort : threads;
    }

    private static double cycles(Round round) {
        return round.values().getOrDefault(Headings.CYCLES, 0.0);
    }

    /** One more run of the first peer, recorded by the JDK's flight recorder. */
    private void record(RedisServer redis, ProfileFile profile, RunOptions setting) {
        int count = threads.contains(ProfileFile.THREADS) ? ProfileFile.THREADS : threads.get(0);
        Peer first = setting.with(Trait.FREE).get(0);
        setting.progress().println("recording " + first + " with " + named(count) + " to " + profile.of(id));
        try (CycleChild child = CycleChild.start(first, redis.port(), profile.jvmOption(id))) {
            setting.progress().println(child.run(count, RECORDED, RECORDED).values());
            child.finish();
        }
    }

    private static String named(int threads) {
        return threads == 1 ? "1 thread" : threads + " threads";
    }
}
