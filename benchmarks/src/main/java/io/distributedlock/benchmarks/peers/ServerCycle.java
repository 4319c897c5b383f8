package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.child.Order;
import io.distributedlock.benchmarks.child.Outcome;
import io.distributedlock.benchmarks.child.ProcessGroup;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one cycle of one thread with a free lock costs Redis. */
final class ServerCycle implements Scenario {

    private static final String KASE = "1 thread";
    private static final String SENT = "commands sent";
    private static final String WITH_SCRIPTS = "with those inside scripts";
    private static final Duration WATCHED = Duration.ofMillis(100);
    private static final double NANOS_PER_MICRO = 1e3;

    @Override
    public String id() {
        return "6";
    }

    @Override
    public String title() {
        return "what a cycle costs Redis";
    }

    @Override
    public TableLayout layout() {
        FigureKey executing = FigureKey.ours(KASE, Headings.EXECUTING);
        List<Target> targets = List.of(
                Target.atMost(2, FigureKey.ours(KASE, SENT)),
                Target.atMost(2, FigureKey.ours(KASE, SENT).of(Catalogue.OURS_TTL)),
                Target.atMost(0.4, executing, executing.of(Catalogue.REDISSON)),
                Target.atMost(1.2, executing, executing.of(Catalogue.RAW_SYNC)),
                Target.atMost(1.2, executing.of(Catalogue.OURS_TTL), executing.of(Catalogue.RAW_SYNC)));
        return new TableLayout(
                Headings.EXECUTING, Catalogue.RAW_SYNC, List.of(SENT, WITH_SCRIPTS, Headings.SERVER_CPU), targets);
    }

    @Override
    public Duration shortLimit() {
        return Duration.ofSeconds(9);
    }

    @Override
    public Comparison run(RunOptions setting) {
        List<Peer> peers = setting.with(Trait.FREE);
        try (RedisServer redis = RedisServer.start();
                StartedPeers<ProcessGroup> groups =
                        new StartedPeers<>(peers, setting, peer -> open(peer, redis, setting), ProcessGroup::close)) {
            return new Comparison(new Interleaved(KASE, setting)
                    .run(peers, peer -> round(peer, redis, groups.of(peer), setting.scale())));
        }
    }

    private static ProcessGroup open(Peer peer, RedisServer redis, RunOptions setting) {
        ProcessGroup group = ProcessGroup.open(peer, redis.port(), 1, "1g", 1);
        long cycles =
                cycles(group.all(Order.loop(peer.name(), 1, setting.scale().length())));
        setting.progress().println(peer + " is known to the server after " + cycles + " cycles");
        return group;
    }

    private static Round round(Peer peer, RedisServer redis, ProcessGroup group, Scale scale) {
        Map<String, Double> values = new LinkedHashMap<>();
        Seen seen;
        try (Monitor monitor = Monitor.start(redis)) {
            long watched = cycles(group.all(Order.loop(peer.name(), 1, WATCHED)));
            seen = monitor.stop();
            values.put(SENT, (double) seen.total() / watched);
        }
        Work before = Work.until(redis);
        double cycles = cycles(group.all(Order.loop(peer.name(), 1, scale.length())));
        Work work = Work.until(redis).since(before);
        values.put(Headings.EXECUTING, work.busy(seen).toNanos() / NANOS_PER_MICRO / cycles);
        values.put(WITH_SCRIPTS, work.count() / cycles);
        values.put(Headings.SERVER_CPU, work.cpu().toNanos() / NANOS_PER_MICRO / cycles);
        return Round.of(values);
    }

    /** All, also the last, which may have begun within the time and ended after it. */
    private static long cycles(List<Outcome> outcomes) {
        return Math.max(
                1, outcomes.stream().mapToLong(each -> each.waited().total()).sum());
    }
}
