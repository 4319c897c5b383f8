package io.distributedlock.testkit.topology;

import io.distributedlock.testkit.process.Polling;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.server.Replication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Makes a cluster out of servers that don't know each other: the first half masters with equal shares of the slots, the
 * others their replicas.
 */
final class ClusterFormation {
    static final int SLOTS = 16_384;

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final List<RedisServer> nodes;
    private final int masters;
    private final ToIntFunction<RedisServer> busPorts;

    /** @param busPorts where nodes reach a node */
    ClusterFormation(List<RedisServer> nodes, ToIntFunction<RedisServer> busPorts) {
        this.nodes = nodes;
        this.busPorts = busPorts;
        this.masters = nodes.size() / 2;
    }

    /** Returns when every node takes the cluster for complete and every replica is in sync. */
    void form() {
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            if (i < masters) {
                nodes.get(i).command(slots(i));
            }
        }
        for (RedisServer node : nodes) {
            String bus = Integer.toString(busPorts.applyAsInt(node));
            nodes.get(0).command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(node.port()), bus);
        }
        Polling.until(
                LIMIT, "the nodes to know each other", () -> nodes.stream().allMatch(this::knowsAll));
        for (int i = masters; i < nodes.size(); i++) {
            nodes.get(i).command("CLUSTER", "REPLICATE", id(nodes.get(i - masters)));
        }
        Polling.until(LIMIT, "the cluster to be complete", () -> nodes.stream().allMatch(this::seesAllInPlace));
        nodes.stream().skip(masters).forEach(Replication::awaitLink);
    }

    private String[] slots(int master) {
        List<String> words = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
        for (int slot = SLOTS * master / masters; slot < SLOTS * (master + 1) / masters; slot++) {
            words.add(Integer.toString(slot));
        }
        return words.toArray(String[]::new);
    }

    static String id(RedisServer node) {
        return String.valueOf(node.command("CLUSTER", "MYID"));
    }

    private boolean knowsAll(RedisServer node) {
        List<ClusterNode> seen = ClusterNode.seenBy(node);
        return seen.size() == nodes.size()
                && seen.stream().noneMatch(each -> each.flags().contains("handshake"));
    }

    private boolean seesAllInPlace(RedisServer node) {
        long replicas = ClusterNode.seenBy(node).stream()
                .filter(each -> each.flags().contains("slave"))
                .count();
        return replicas == nodes.size() - masters && isComplete(node);
    }

    static boolean isComplete(RedisServer node) {
        return String.valueOf(node.command("CLUSTER", "INFO")).contains("cluster_state:ok");
    }
}
