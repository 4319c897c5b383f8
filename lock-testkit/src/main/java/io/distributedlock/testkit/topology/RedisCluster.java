package io.distributedlock.testkit.topology;

import io.distributedlock.testkit.process.Polling;
import io.distributedlock.testkit.server.RedisFleet;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.server.Replication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A Redis Cluster of three masters with one replica each.
 *
 * <p>A master counts as failed after 1.5 s of silence, and its replica takes over about a second later. All processes
 * end with {@link #close()}, at the latest when the JVM exits.
 */
public final class RedisCluster implements AutoCloseable {
    private static final int NODES = 6;
    private static final Duration NODE_TIMEOUT = Duration.ofMillis(1_500);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /**
     * Redis gives a failover on request up after 5 s, as where masters have just voted for another one. For 6 s after
     * an election, four node timeouts, a replica that was the elected one takes over with the old votes, which the
     * other nodes undo at once.
     */
    private static final Duration REQUEST_LIMIT = Duration.ofMillis(6_100);

    private final RedisFleet nodes;
    private final ClusterBus bus;

    private RedisCluster(RedisFleet nodes, ClusterBus bus) {
        this.nodes = nodes;
        this.bus = bus;
    }

    /**
     * Starts the six nodes and returns when the cluster is complete.
     *
     * @param arguments further arguments of each redis-server
     */
    public static RedisCluster start(String... arguments) {
        return start(nodes -> new ClusterBus(), arguments);
    }

    /**
     * The same, but its nodes can be {@linkplain #isolate cut off} from each other; none of them may be started again.
     */
    public static RedisCluster startDivisible(String... arguments) {
        return start(ClusterBus::between, arguments);
    }

    private static RedisCluster start(Function<List<RedisServer>, ClusterBus> buses, String... arguments) {
        List<String> own = List.of(
                "--cluster-enabled",
                "yes",
                "--cluster-node-timeout",
                millis(NODE_TIMEOUT),
                "--cluster-replica-validity-factor",
                "0",
                "--repl-diskless-sync-delay",
                "0");
        String[] all = Stream.concat(own.stream(), Stream.of(arguments)).toArray(String[]::new);
        RedisFleet nodes = RedisFleet.start(NODES, all);
        try {
            ClusterBus bus = buses.apply(nodes.servers());
            new ClusterFormation(nodes.servers(), bus::portOf).form();
            return new RedisCluster(nodes, bus);
        } catch (RuntimeException e) {
            nodes.close();
            throw e;
        }
    }

    /** The six nodes, always in the same order; at the start the first three are masters. */
    public List<RedisServer> nodes() {
        return nodes.servers();
    }

    /** The addresses of the nodes in the form {@code redis://127.0.0.1:port}. */
    public List<String> uris() {
        return nodes.uris();
    }

    /** The slot of a key. */
    public int slot(String key) {
        return Integer.parseInt(String.valueOf(anyRunning().command("CLUSTER", "KEYSLOT", key)));
    }

    /**
     * The master that serves a key's slot, as most recently heard by the first running node. For a moment after a
     * change it may know of none, which is waited for.
     */
    public RedisServer masterOf(String key) {
        return masterOf(slot(key));
    }

    RedisServer masterOf(int slot) {
        return await("a master for slot " + slot, () -> masterOf(slot, anyRunning()));
    }

    private static RedisServer await(String what, Supplier<Optional<RedisServer>> question) {
        List<RedisServer> answers = new ArrayList<>();
        Polling.until(LIMIT, what, () -> {
            question.get().ifPresent(answers::add);
            return !answers.isEmpty();
        });
        return answers.get(0);
    }

    private Optional<RedisServer> masterOf(int slot, RedisServer witness) {
        return ClusterNode.seenBy(witness).stream()
                .filter(node -> node.serves(slot))
                .findFirst()
                .map(this::server);
    }

    /** The nodes that serve slots, as heard by the first running node. */
    public List<RedisServer> masters() {
        return ClusterNode.seenBy(anyRunning()).stream()
                .filter(node -> node.isMaster() && !node.slots().isEmpty())
                .map(this::server)
                .toList();
    }

    /** The replica of a master; waits until the first running node takes one for well. */
    public RedisServer replicaOf(RedisServer master) {
        String id = ClusterFormation.id(master);
        return await("a replica of port " + master.port(), () -> replicaOf(id, anyRunning()));
    }

    private Optional<RedisServer> replicaOf(String id, RedisServer witness) {
        return ClusterNode.seenBy(witness).stream()
                .filter(node -> node.master().equals(id) && !node.isFailed())
                .map(this::server)
                .findFirst();
    }

    /** Returns the new master of a key as soon as all running nodes name one and take the cluster for complete. */
    public RedisServer awaitFailover(String key, RedisServer former) {
        int slot = slot(key);
        Polling.until(LIMIT, "a new master for slot " + slot, () -> hasFailedOver(slot, former));
        return masterOf(slot);
    }

    private boolean hasFailedOver(int slot, RedisServer former) {
        RedisServer master = masterOf(slot);
        return master != former && areAgreedOn(slot, master);
    }

    /**
     * Has the replica of a key's master take over, and returns it as {@link #awaitFailover} does. The replica has to be
     * one that the master knows already, else the master ignores it. A request that Redis has given up, or that the
     * other nodes have undone, is repeated.
     */
    public RedisServer changeMaster(String key) {
        int slot = slot(key);
        RedisServer former = masterOf(slot);
        String id = ClusterFormation.id(former);
        AtomicLong nextRequest = new AtomicLong(System.nanoTime());
        Polling.until(LIMIT, "the replica of port " + former.port() + " to take over", () -> {
            if (masterOf(slot) == former && System.nanoTime() - nextRequest.get() >= 0) {
                replicaOf(id, former).ifPresent(replica -> {
                    replica.command("CLUSTER", "FAILOVER");
                    nextRequest.set(System.nanoTime() + REQUEST_LIMIT.toNanos());
                });
            }
            return hasFailedOver(slot, former);
        });
        return masterOf(slot);
    }

    /** From now on the running nodes take each other for failed after this long a silence. */
    public void nodeTimeout(Duration silence) {
        nodes.running().forEach(node -> node.command("CONFIG", "SET", "cluster-node-timeout", millis(silence)));
    }

    /** The nodes are as patient as they were at first. */
    public void usualNodeTimeout() {
        nodeTimeout(NODE_TIMEOUT);
    }

    /**
     * The same, once no running node is taken for failed: it would stay so for twice this time, and the cluster would
     * be incomplete for some of its nodes. Returns when each running node serves its slots: a master that was
     * suspended took the others for failed, and refuses commands for up to 5 s after it hears them again.
     */
    public void trustNodes(Duration silence) {
        do {
            usualNodeTimeout();
            Polling.until(LIMIT, "the running nodes to trust each other", this::areTrusted);
            nodeTimeout(silence);
        } while (!areTrusted());
        Polling.until(
                LIMIT,
                "the running nodes to serve their slots",
                () -> nodes.running().stream().allMatch(ClusterFormation::isComplete));
    }

    private boolean areTrusted() {
        List<Integer> ports = nodes.running().stream().map(RedisServer::port).toList();
        return nodes.running().stream()
                .flatMap(witness -> ClusterNode.seenBy(witness).stream())
                .noneMatch(node -> node.isFailed() && ports.contains(node.port()));
    }

    private static String millis(Duration time) {
        return Long.toString(time.toMillis());
    }

    boolean areAgreedOn(int slot, RedisServer master) {
        return connected().stream()
                .allMatch(node -> ClusterFormation.isComplete(node)
                        && masterOf(slot, node).equals(Optional.of(master)));
    }

    /**
     * Begins to move a key's slot to another master; until {@link SlotMove#finish()} both have a part of it.
     *
     * @param target a master that does not serve the slot yet
     */
    public SlotMove move(String key, RedisServer target) {
        return SlotMove.begin(this, slot(key), target);
    }

    /** Brings a killed or paused node back, and returns when it is in sync as the replica that it has become. */
    public void rejoin(RedisServer node) {
        Replication.revive(node);
        Polling.until(
                LIMIT,
                "the node on port " + node.port() + " to be back",
                () -> ClusterFormation.isComplete(node) && (masters().contains(node) || Replication.isInSync(node)));
    }

    /**
     * Nothing passes between this node and the others any more; clients, and the node that copies it, still reach it.
     */
    public void isolate(RedisServer node) {
        bus.isolate(node);
    }

    /** The nodes reach an isolated one again. */
    public void heal(RedisServer node) {
        bus.heal(node);
    }

    private RedisServer anyRunning() {
        return connected().get(0);
    }

    private List<RedisServer> connected() {
        return nodes.running().stream().filter(node -> !bus.isAlone(node)).toList();
    }

    private RedisServer server(ClusterNode node) {
        return nodes.servers().stream()
                .filter(server -> server.port() == node.port())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a stranger joined on port " + node.port()));
    }

    @Override
    public void close() {
        nodes.close();
        bus.close();
    }
}
