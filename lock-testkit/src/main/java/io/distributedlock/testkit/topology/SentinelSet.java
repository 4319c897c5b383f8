package io.distributedlock.testkit.topology;

import io.distributedlock.testkit.process.Polling;
import io.distributedlock.testkit.resp.RespError;
import io.distributedlock.testkit.server.RedisFleet;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.server.Replication;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One master with two replicas, and three Sentinels that watch them: the smallest set-up that survives the loss of any
 * one process.
 *
 * <p>Sentinels take a master for down after 1.5 s of silence, or what {@link #start(Duration, String...)} says, and
 * promote a replica about a second later. All processes end with {@link #close()}, at the latest when the JVM exits.
 */
public final class SentinelSet implements AutoCloseable {
    /** The name under which the Sentinels know the master. */
    public static final String MASTER_NAME = "lockmaster";

    private static final InternalUser INSIDER = new InternalUser("insider", "between-servers", "of-clients");
    private static final int NODES = 3;
    private static final Duration DOWN_AFTER = Duration.ofMillis(1_500);
    private static final Duration UNDISTURBED = Duration.ofHours(1);

    private final RedisFleet nodes;
    private final RedisFleet sentinels;
    private final Duration downAfter;

    private SentinelSet(RedisFleet nodes, RedisFleet sentinels, Duration downAfter) {
        this.nodes = nodes;
        this.sentinels = sentinels;
        this.downAfter = downAfter;
    }

    /** Starts all six processes; returns when the replicas are in sync and the Sentinels know them and each other. */
    public static SentinelSet start(String... arguments) {
        return start(DOWN_AFTER, arguments);
    }

    /**
     * The same for tests that expect no failover: the Sentinels never take the master for down. A machine that stalls
     * it for 1.5 s would otherwise cost clients their connection when the new master is there.
     */
    public static SentinelSet startWithoutFailover() {
        return start(UNDISTURBED);
    }

    /**
     * Starts all six processes; returns when the replicas are in sync and the Sentinels know them and each other.
     *
     * @param downAfter after which silence of the master it counts as down
     * @param arguments further arguments of the three data nodes
     */
    public static SentinelSet start(Duration downAfter, String... arguments) {
        RedisFleet nodes = RedisFleet.start(
                NODES,
                Stream.concat(INSIDER.arguments().stream(), Stream.of(arguments))
                        .toArray(String[]::new));
        try {
            RedisServer master = nodes.server(0);
            nodes.servers().stream().skip(1).forEach(node -> Replication.follow(node, master));
            return watched(nodes, downAfter);
        } catch (RuntimeException e) {
            nodes.close();
            throw e;
        }
    }

    private static SentinelSet watched(RedisFleet nodes, Duration downAfter) {
        RedisFleet sentinels = RedisFleet.start(NODES, () -> sentinel(nodes.server(0), downAfter));
        SentinelSet set = new SentinelSet(nodes, sentinels, downAfter);
        try {
            Polling.until(SentinelOpinions.LIMIT, "the Sentinels to know the set", set::isKnownToAll);
            return set;
        } catch (RuntimeException e) {
            sentinels.close();
            throw e;
        }
    }

    private static RedisServer sentinel(RedisServer master, Duration downAfter) {
        RedisServer sentinel = RedisServer.start(
                List.of(
                        "sentinel monitor " + MASTER_NAME + " 127.0.0.1 " + master.port() + " 2",
                        "sentinel down-after-milliseconds " + MASTER_NAME + " " + downAfter.toMillis(),
                        "sentinel failover-timeout " + MASTER_NAME + " 3000",
                        "sentinel auth-user " + MASTER_NAME + " " + INSIDER.name(),
                        "sentinel auth-pass " + MASTER_NAME + " " + INSIDER.password()),
                "--sentinel");
        hurry(sentinel);
        return sentinel;
    }

    /**
     * Lets a Sentinel look, and tell the others, more often than it would; one older than version 7 takes its time.
     * Where it was locked out it also tries sooner to be let in again, which it otherwise does every 15 s, as long as
     * its connection is answered, if only with refusals.
     */
    private static void hurry(RedisServer sentinel) {
        try {
            sentinel.command(
                    "SENTINEL",
                    "DEBUG",
                    "INFO-PERIOD",
                    "500",
                    "PUBLISH-PERIOD",
                    "200",
                    "MIN-LINK-RECONNECT-PERIOD",
                    "1000");
        } catch (RespError old) {
            // It takes seconds instead of milliseconds.
        }
    }

    private boolean isKnownToAll() {
        return sentinels.servers().stream().allMatch(sentinel -> {
            String info = String.valueOf(sentinel.command("INFO", "sentinel"));
            return info.contains("slaves=" + (NODES - 1) + ",sentinels=" + NODES);
        });
    }

    /**
     * The address of the set as Lettuce reads it: the password of its nodes, the three Sentinels and the name of the
     * master.
     */
    public String uri() {
        return sentinels.servers().stream()
                .map(sentinel -> "127.0.0.1:" + sentinel.port())
                .collect(Collectors.joining(
                        ",", "redis-sentinel://:" + INSIDER.clientPassword() + "@", "#" + MASTER_NAME));
    }

    /** What clients have to give to the data nodes; the Sentinels want none. */
    public String password() {
        return INSIDER.clientPassword();
    }

    /** The three data nodes, always in the same order. */
    public List<RedisServer> nodes() {
        return nodes.servers();
    }

    /** The three Sentinels, always in the same order. */
    public List<RedisServer> sentinels() {
        return sentinels.servers();
    }

    /** The node that the first running Sentinel names as master, dead or alive. */
    public RedisServer master() {
        Object address = sentinels.running().get(0).command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_NAME);
        String port = address instanceof List<?> pair ? String.valueOf(pair.get(1)) : "";
        return nodes.servers().stream()
                .filter(node -> Integer.toString(node.port()).equals(port))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the Sentinels name a stranger as master: " + address));
    }

    /** The two data nodes that are not the master. */
    public List<RedisServer> replicas() {
        RedisServer master = master();
        return nodes.servers().stream().filter(node -> node != master).toList();
    }

    /** Returns the new master as soon as the first running Sentinel names one and it accepts writes. */
    public RedisServer awaitPromotion(RedisServer former) {
        opinions().await("a new master", () -> isSucceeded(former));
        return master();
    }

    private boolean isSucceeded(RedisServer former) {
        RedisServer master = master();
        return master != former && master.isRunning() && Replication.isMaster(master);
    }

    /** From now on the Sentinels take the master for down after this long a silence. */
    public void downAfter(Duration silence) {
        opinions().downAfter(silence);
    }

    /** The Sentinels are as patient as they were at first. */
    public void downAfterUsualSilence() {
        downAfter(downAfter);
    }

    /**
     * Has a Sentinel promote a replica although the master is well, and returns the new master. The Sentinel gives up
     * after 3 s if another one makes that replica a replica again before both know of the change; it is asked once more
     * then.
     */
    public RedisServer failover() {
        RedisServer former = master();
        opinions().await("a new master on request", () -> {
            boolean succeeded = isSucceeded(former);
            if (!succeeded) {
                requestFailover();
            }
            return succeeded;
        });
        return master();
    }

    /** A Sentinel refuses while a failover is under way, and while it knows of no replica that is fit. */
    private void requestFailover() {
        try {
            sentinels.running().get(0).command("SENTINEL", "FAILOVER", MASTER_NAME);
        } catch (RespError notNow) {
            // The caller looks again.
        }
    }

    /** Restarts a Sentinel, which keeps what it knows of the set, and looks as often as before. */
    public void restart(RedisServer sentinel) {
        sentinel.restart();
        hurry(sentinel);
    }

    /**
     * Cuts a node off from the Sentinels and from replication, but not from its clients, as if the network had been
     * split between them. It goes on as the master that it was.
     */
    public void isolate(RedisServer node) {
        INSIDER.lockOut(node);
    }

    /**
     * Lets the Sentinels and replication reach an isolated node again; the Sentinels make it a replica of the master
     * that they have chosen.
     */
    public void heal(RedisServer node) {
        INSIDER.letIn(node);
    }

    /**
     * Brings a killed, paused or isolated node back as a replica of the present master, and returns when it is in sync.
     */
    public void rejoin(RedisServer node) {
        revive(node);
        RedisServer master = master();
        if (node != master) {
            Replication.follow(node, master);
        }
    }

    /**
     * Brings all nodes back, whatever has become of them, and returns when all but the master are in sync. A failover
     * that is under way is waited for first: it never ends if the replica that it has promoted goes away in the middle
     * of it.
     */
    public void rejoinAll() {
        downAfter(UNDISTURBED);
        nodes.servers().forEach(SentinelSet::revive);
        opinions().await("the Sentinels to agree on a master", this::isSettled);
        nodes.servers().forEach(this::rejoin);
        downAfterUsualSilence();
    }

    private SentinelOpinions opinions() {
        return new SentinelOpinions(sentinels, MASTER_NAME);
    }

    private boolean isSettled() {
        return opinions().areSettled() && Replication.isMaster(master());
    }

    private static void revive(RedisServer node) {
        Replication.revive(node);
        INSIDER.letIn(node);
    }

    @Override
    public void close() {
        sentinels.close();
        nodes.close();
    }
}
