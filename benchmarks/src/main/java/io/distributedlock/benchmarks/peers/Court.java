package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.child.Order;
import io.distributedlock.benchmarks.child.Team;
import io.distributedlock.benchmarks.peer.Peer;
import io.distributedlock.testkit.RedisServer;
import java.util.List;
import java.util.function.Function;

/** Where teams hold their contests by turns. */
record Court(RedisServer redis, Started<Team> teams, Setting setting) {

    List<Line> play(String kase, List<Peer> peers, Function<Peer, Order> order) {
        return new Interleaved(kase, setting)
                .play(peers, peer -> new Contest(redis, teams.of(peer)).play(order.apply(peer)));
    }
}
