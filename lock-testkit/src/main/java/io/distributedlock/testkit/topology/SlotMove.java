package io.distributedlock.testkit.topology;

import io.distributedlock.testkit.process.Polling;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One slot on its way from one master of a cluster to another. While it is under way the source answers ASK for keys
 * that it does not have any more, and either side TRYAGAIN for a command with keys on both sides; afterwards the source
 * answers MOVED.
 */
public final class SlotMove {
    private static final String MANY = "100";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final RedisCluster cluster;
    private final int slot;
    private final RedisServer source;
    private final RedisServer target;

    private SlotMove(RedisCluster cluster, int slot, RedisServer source, RedisServer target) {
        this.cluster = cluster;
        this.slot = slot;
        this.source = source;
        this.target = target;
    }

    static SlotMove begin(RedisCluster cluster, int slot, RedisServer target) {
        SlotMove move = new SlotMove(cluster, slot, cluster.masterOf(slot), target);
        move.set(target, "IMPORTING", ClusterFormation.id(move.source));
        move.set(move.source, "MIGRATING", ClusterFormation.id(target));
        return move;
    }

    /** The master that the slot leaves. */
    public RedisServer source() {
        return source;
    }

    /** The master that the slot goes to. */
    public RedisServer target() {
        return target;
    }

    /** Moves these keys; those that don't exist stay where they are, which is nowhere. */
    public void moveKeys(List<String> keys) {
        List<String> words = new ArrayList<>(
                List.of("MIGRATE", "127.0.0.1", Integer.toString(target.port()), "", "0", "5000", "KEYS"));
        words.addAll(keys);
        source.command(words.toArray(String[]::new));
    }

    /** Moves all keys that are left, gives the slot to the target and returns when every running node knows. */
    public void finish() {
        for (List<String> keys = keys(); !keys.isEmpty(); keys = keys()) {
            moveKeys(keys);
        }
        String id = ClusterFormation.id(target);
        set(target, "NODE", id);
        set(source, "NODE", id);
        Polling.until(LIMIT, "slot " + slot + " to have moved", () -> cluster.areAgreedOn(slot, target));
    }

    private List<String> keys() {
        List<?> found = (List<?>) source.command("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), MANY);
        return found == null ? List.of() : found.stream().map(String::valueOf).toList();
    }

    private void set(RedisServer node, String state, String id) {
        node.command("CLUSTER", "SETSLOT", Integer.toString(slot), state, id);
    }
}
