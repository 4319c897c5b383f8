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

/**
 * More and more applications that want the same lock. Each is a client of its own with one thread, so that no two share
 * anything; they live in two processes, because that many processes would measure their start.
 */
final class ManyClients implements Scenario {

    private static final int PROCESSES = 2;
    private static final int MOST = 24;
    private static final List<Integer> CLIENTS = List.of(PROCESSES, 8, MOST);
    /** What the targets are about. */
    private static final List<Integer> CLIENTS_OF_SHORT = List.of(PROCESSES, MOST);

    @Override
    public String id() {
        return "herd";
    }

    @Override
    public String title() {
        return "many clients with one thread each want one lock";
    }

    @Override
    public TableLayout layout() {
        FigureKey rate = FigureKey.ours(named(MOST), Headings.HAND_OVERS);
        List<Target> targets = List.of(
                Target.atLeast(0.7, rate, rate.in(named(PROCESSES))),
                Target.atMost(10, FigureKey.ours(named(MOST), Headings.WAIT_P99)));
        List<String> others = List.of(
                Headings.FAIRNESS,
                Headings.WAIT_P50,
                Headings.WAIT_P99,
                Headings.WAIT_MAX,
                Headings.CLIENT_CPU,
                Headings.SERVER_CPU,
                Headings.COMMANDS);
        return new TableLayout(Headings.HAND_OVERS, Catalogue.RAW_PUBSUB, others, targets);
    }

    @Override
    public Duration shortLimit() {
        return Duration.ofSeconds(18);
    }

    @Override
    public Comparison run(RunOptions setting) {
        List<Peer> peers = setting.with(Trait.SHARED, Trait.WOKEN);
        List<ResultLine> lines = new ArrayList<>();
        try (RedisServer redis = RedisServer.start();
                StartedPeers<ProcessGroup> groups =
                        new StartedPeers<>(peers, setting, peer -> open(peer, redis, setting), ProcessGroup::close)) {
            ContentionSetup setup = new ContentionSetup(redis, groups, setting);
            for (int clients : setting.scale().isShort() ? CLIENTS_OF_SHORT : CLIENTS) {
                lines.addAll(setup.run(named(clients), peers, peer -> order(peer, clients, setting)));
            }
        }
        return new Comparison(lines);
    }

    private static ProcessGroup open(Peer peer, RedisServer redis, RunOptions setting) {
        ProcessGroup group = ProcessGroup.open(peer, redis.port(), PROCESSES, "1g", MOST / PROCESSES);
        WarmUp.of(group, peer, MOST / PROCESSES, setting);
        return group;
    }

    private static Order order(Peer peer, int clients, RunOptions setting) {
        return Order.loop(peer.name(), clients / PROCESSES, setting.scale().length());
    }

    private static String named(int clients) {
        return clients + " clients";
    }
}
