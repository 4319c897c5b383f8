package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.child.Order;
import io.distributedlock.benchmarks.child.ProcessGroup;
import io.distributedlock.benchmarks.peer.Peer;
import io.distributedlock.testkit.server.RedisServer;
import java.util.List;
import java.util.function.Function;

/** Where groups hold their rounds by turns. */
record ContentionSetup(RedisServer redis, StartedPeers<ProcessGroup> groups, RunOptions setting) {

    List<ResultLine> run(String kase, List<Peer> peers, Function<Peer, Order> order) {
        return new Interleaved(kase, setting)
                .run(peers, peer -> new ContentionRound(redis, groups.of(peer)).run(order.apply(peer)));
    }
}
