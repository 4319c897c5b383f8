package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.child.Order;
import io.distributedlock.benchmarks.child.ProcessGroup;
import io.distributedlock.benchmarks.figures.Headings;
import io.distributedlock.benchmarks.peer.Catalogue;
import io.distributedlock.benchmarks.peer.Peer;
import io.distributedlock.benchmarks.peer.Trait;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sixteen threads, in one process or in four, that all want the same lock, with and without work under it. */
final class HotLock implements Scenario {

    private static final String EMPTY = named(Duration.ZERO);
    private static final List<Duration> WORK = List.of(Duration.ofMillis(1), Duration.ofMillis(20));
    /** A round has at least so many sections, or a p99 of their waits would mean nothing. */
    private static final int SECTIONS = 100;

    private final String id;
    private final String title;
    private final int processes;
    private final int threads;
    private final Trait trait;
    private final TableLayout layout;
    private final Duration shortLimit;

    private HotLock(String id, String title, int processes, Trait trait, TableLayout layout, Duration shortLimit) {
        this.id = id;
        this.title = title;
        this.processes = processes;
        this.threads = 16 / processes;
        this.trait = trait;
        this.layout = layout;
        this.shortLimit = shortLimit;
    }

    static Scenario inOneProcess() {
        FigureKey rate = FigureKey.ours(EMPTY, Headings.HAND_OVERS);
        List<Target> targets = List.of(
                Target.atLeast(200, rate, rate.of(Catalogue.REDISSON)),
                Target.atLeast(200, rate.of(Catalogue.OURS_TTL), rate.of(Catalogue.REDISSON)),
                Target.atLeast(30, rate.of(Catalogue.OURS_FIFO), rate.of(Catalogue.REDISSON)),
                Target.atLeast(0.8, FigureKey.ours(EMPTY, Headings.FAIRNESS)),
                Target.atMost(1, FigureKey.ours(EMPTY, Headings.WAIT_P99)));
        return new HotLock(
                "3",
                "16 threads of one process want one lock",
                1,
                Trait.LOCAL,
                layout(Headings.FAIRNESS, targets),
                Duration.ofSeconds(18));
    }

    static Scenario inFourProcesses() {
        FigureKey rate = FigureKey.ours(EMPTY, Headings.HAND_OVERS);
        FigureKey wait = FigureKey.ours(EMPTY, Headings.WAIT_P99);
        List<Target> targets = List.of(
                Target.atLeast(200, rate, rate.of(Catalogue.REDISSON)),
                Target.atLeast(200, rate.of(Catalogue.OURS_TTL), rate.of(Catalogue.REDISSON)),
                Target.atLeast(0.9, FigureKey.ours(EMPTY, Headings.PROCESS_SHARE)),
                Target.atMost(0.2, wait, wait.of(Catalogue.REDISSON)));
        return new HotLock(
                "4",
                "4 processes with 4 threads each want one lock",
                4,
                Trait.SHARED,
                layout(Headings.PROCESS_SHARE, targets),
                Duration.ofSeconds(25));
    }

    private static TableLayout layout(String shares, List<Target> targets) {
        List<String> others = List.of(
                shares,
                Headings.WAIT_P50,
                Headings.WAIT_P99,
                Headings.WAIT_MAX,
                Headings.CLIENT_CPU,
                Headings.SERVER_CPU,
                Headings.EXECUTING,
                Headings.COMMANDS);
        return new TableLayout(Headings.HAND_OVERS, Catalogue.RAW_PUBSUB, others, targets);
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
        List<Peer> peers = setting.with(trait);
        List<ResultLine> lines = new ArrayList<>();
        try (RedisServer redis = RedisServer.start();
                StartedPeers<ProcessGroup> groups =
                        new StartedPeers<>(peers, setting, peer -> open(peer, redis, setting), ProcessGroup::close)) {
            lines.addAll(run(Duration.ZERO, peers, new ContentionSetup(redis, groups, setting)));
            if (!setting.scale().isShort()) {
                for (Duration work : WORK) {
                    lines.addAll(
                            run(work, setting.with(trait, Trait.WOKEN), new ContentionSetup(redis, groups, setting)));
                }
            }
        }
        return new Comparison(lines);
    }

    private ProcessGroup open(Peer peer, RedisServer redis, RunOptions setting) {
        ProcessGroup group = ProcessGroup.open(peer, redis.port(), processes, processes == 1 ? "1g" : "400m", 1);
        WarmUp.of(group, peer, threads, setting);
        return group;
    }

    private List<ResultLine> run(Duration work, List<Peer> peers, ContentionSetup setup) {
        Duration enough = work.multipliedBy(SECTIONS);
        Duration usual = setup.setting().scale().length();
        Duration length = enough.compareTo(usual) > 0 ? enough : usual;
        return setup.run(
                named(work),
                peers,
                peer -> Order.loop(peer.name(), threads, length).withWork(work));
    }

    private static String named(Duration work) {
        return work.isZero() ? "empty" : work.toMillis() + " ms of work";
    }
}
