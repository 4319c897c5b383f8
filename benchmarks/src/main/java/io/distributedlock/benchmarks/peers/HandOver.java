package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.child.ProcessGroup;
import io.distributedlock.benchmarks.figures.Headings;
import io.distributedlock.benchmarks.figures.Round;
import io.distributedlock.benchmarks.figures.Series;
import io.distributedlock.benchmarks.figures.Waits;
import io.distributedlock.benchmarks.peer.Catalogue;
import io.distributedlock.benchmarks.peer.Peer;
import io.distributedlock.benchmarks.peer.Trait;
import io.distributedlock.benchmarks.server.Monitor;
import io.distributedlock.benchmarks.server.Monitor.Seen;
import io.distributedlock.benchmarks.server.Work;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * From the moment one process calls release to the moment another one, which has waited for 20 to 120 ms, has the lock.
 */
final class HandOver implements Scenario {

    private static final String KASE = "2 processes";
    private static final String POOLED_P99 = "pooled p99 us";
    private static final String POOLED_MAX = "pooled max us";
    private static final String SAMPLES = "samples";
    private static final int NOT_COUNTED = 6;
    /** So many hand-overs show which commands each of them sends. */
    private static final int WATCHED = 4;

    private static final double NANOS_PER_MICRO = 1e3;

    @Override
    public String id() {
        return "5";
    }

    @Override
    public String title() {
        return "hand-over between two processes";
    }

    @Override
    public TableLayout layout() {
        FigureKey median = FigureKey.ours(KASE, Headings.P50_US);
        FigureKey worst = FigureKey.ours(KASE, POOLED_P99);
        List<Target> targets = List.of(
                Target.atMost(0.45, median, median.of(Catalogue.REDISSON)),
                Target.atMost(0.45, median.of(Catalogue.OURS_TTL), median.of(Catalogue.REDISSON)),
                Target.atMost(0.85, median, median.of(Catalogue.RAW_PUBSUB)),
                Target.atMost(0.3, worst, worst.of(Catalogue.REDISSON)),
                Target.atMost(0.3, worst.of(Catalogue.OURS_TTL), worst.of(Catalogue.REDISSON)));
        return new TableLayout(
                Headings.P50_US,
                Catalogue.RAW_PUBSUB,
                List.of(POOLED_P99, POOLED_MAX, SAMPLES, Headings.EXECUTING),
                targets);
    }

    @Override
    public Duration shortLimit() {
        return Duration.ofSeconds(20);
    }

    @Override
    public Comparison run(RunOptions setting) {
        List<Peer> peers = setting.with(Trait.SHARED);
        Map<Peer, Waits> pooled = new HashMap<>();
        peers.forEach(peer -> pooled.put(peer, new Waits()));
        try (RedisServer redis = RedisServer.start();
                StartedPeers<ProcessGroup> groups =
                        new StartedPeers<>(peers, setting, peer -> open(peer, redis, setting), ProcessGroup::close)) {
            List<ResultLine> lines = new Interleaved(KASE, setting).run(peers, peer -> {
                Relay relay = new Relay(groups.of(peer), peer.name());
                Seen seen = Monitor.during(redis, () -> relay.run(WATCHED));
                Work before = Work.until(redis);
                Waits waits = relay.run(setting.scale().handOvers());
                Duration busy = Work.until(redis).since(before).busy(seen);
                pooled.getOrDefault(peer, new Waits()).add(waits);
                return Round.of(Map.of(
                        Headings.P50_US,
                        micros(waits.quantile(0.5)),
                        Headings.EXECUTING,
                        micros(busy) / waits.total()));
            });
            lines.forEach(line -> putPooled(line.series(), pooled.getOrDefault(line.peer(), new Waits())));
            return new Comparison(lines);
        }
    }

    private static ProcessGroup open(Peer peer, RedisServer redis, RunOptions setting) {
        ProcessGroup group = ProcessGroup.open(peer, redis.port(), 2, "400m", 1);
        WarmUp.of(group, peer, 1, setting);
        Waits first = new Relay(group, peer.name()).run(NOT_COUNTED);
        setting.progress().println(peer + ": " + first.total() + " hand-overs not counted");
        return group;
    }

    private static void putPooled(Series series, Waits waits) {
        if (waits.total() > 0) {
            series.put(POOLED_P99, micros(waits.quantile(0.99)));
            series.put(POOLED_MAX, micros(waits.max()));
            series.put(SAMPLES, waits.total());
        }
    }

    private static double micros(Duration duration) {
        return duration.toNanos() / NANOS_PER_MICRO;
    }
}
