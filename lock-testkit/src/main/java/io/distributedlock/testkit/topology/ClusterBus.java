package io.distributedlock.testkit.topology;

import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Relay;
import io.distributedlock.testkit.server.RedisServer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ways of the nodes of a cluster to each other, each through a relay, so that a node can be cut off from the others
 * while clients and copies reach it.
 */
final class ClusterBus implements AutoCloseable {
    private static final int OFFSET = 10_000;

    private final Map<RedisServer, Relay> ways = new LinkedHashMap<>();
    private final Set<String> alone = ConcurrentHashMap.newKeySet();

    /** Has the nodes announce their relays; before they meet, and until they are started again. */
    static ClusterBus between(List<RedisServer> nodes) {
        ClusterBus bus = new ClusterBus();
        for (RedisServer node : nodes) {
            String id = ClusterFormation.id(node);
            Relay way = Relay.to(
                    node.port() + OFFSET, () -> new BusTraffic(other -> bus.isAlone(id) || bus.isAlone(other)));
            bus.ways.put(node, way);
            node.command("CONFIG", "SET", "cluster-announce-bus-port", Integer.toString(way.port()));
        }
        return bus;
    }

    int portOf(RedisServer node) {
        Relay way = ways.get(node);
        return way == null ? node.port() + OFFSET : way.port();
    }

    private boolean isAlone(String id) {
        return alone.contains(id);
    }

    boolean isAlone(RedisServer node) {
        return !alone.isEmpty() && isAlone(ClusterFormation.id(node));
    }

    void isolate(RedisServer node) {
        if (ways.isEmpty()) {
            throw new IllegalStateException("This cluster was started without the means to divide it");
        }
        alone.add(ClusterFormation.id(node));
    }

    /** The connections on which something was lost end now. */
    void heal(RedisServer node) {
        alone.remove(ClusterFormation.id(node));
        ways.values().forEach(way -> way.cut(Cut.RST));
    }

    @Override
    public void close() {
        ways.values().forEach(Relay::close);
    }
}
