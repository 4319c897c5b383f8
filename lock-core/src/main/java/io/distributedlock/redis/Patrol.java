package io.distributedlock.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks a master of a Cluster who serves which slots, as long as another one is lost or silent. When that has changed, it has the driver look at
 * all nodes, which the driver by itself does seldom, because it tries those that are down each time.
 */
final class Patrol implements Lookout {

    private static final Duration PERIOD = Duration.ofMillis(100);
    private static final Duration ANSWER_LIMIT = Duration.ofMillis(500);
    private static final System.Logger LOG = System.getLogger(Patrol.class.getName());

    private final RedisClusterClient client;
    private final Function<RedisURI, CompletableFuture<? extends StatefulRedisConnection<String, String>>> connections;
    private final Sessions sessions;
    private final EventExecutor loop;
    private volatile boolean closed;

    /** What follows is used by tasks on the loop alone. */
    private boolean walking;

    private boolean refreshing;
    private boolean moved;
    private int turn;

    /** @param connections those that carry the locks to each node */
    Patrol(
            RedisClusterClient client,
            Function<RedisURI, CompletableFuture<? extends StatefulRedisConnection<String, String>>> connections,
            Sessions sessions) {
        this.client = client;
        this.connections = connections;
        this.sessions = sessions;
        this.loop = client.getResources().eventExecutorGroup().next();
    }

    @Override
    public void troubled() {
        onLoop(() -> {
            if (!walking) {
                walking = true;
                goOn();
            }
        });
    }

    /** It sees by itself. */
    @Override
    public void relieved() {}

    private void goOn() {
        loop.schedule(this::look, PERIOD.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Nodes come and go while it looks; whatever that leads to, it looks again. */
    private void look() {
        try {
            lookAround();
        } catch (RuntimeException stumbled) {
            LOG.log(System.Logger.Level.DEBUG, "Could not look at the nodes of the Cluster, and tries again", stumbled);
            goOn();
        }
    }

    private void lookAround() {
        List<RedisClusterNode> well = new ArrayList<>();
        List<RedisClusterNode> troubled = new ArrayList<>();
        for (RedisClusterNode node : client.getPartitions()) {
            if (!node.hasNoSlots()) {
                (isTroubled(node.getUri()) ? troubled : well).add(node);
            }
        }
        well.forEach(this::connect);
        walking = !troubled.isEmpty() && !closed;
        if (!walking) {
            report();
        } else if (well.isEmpty()) {
            goOn();
        } else {
            turn = (turn + 1) % well.size();
            ask(well.get(turn).getUri()).whenCompleteAsync((seen, failure) -> answered(seen), loop);
        }
    }

    /** Those who wait for a lock of the lost one hear from its successor only where there is a connection. */
    private void connect(RedisClusterNode node) {
        connections.apply(node.getUri()).whenComplete((open, failure) -> {
            if (failure != null) {
                LOG.log(
                        System.Logger.Level.DEBUG,
                        "A node of the Cluster can't be reached, and is tried again",
                        failure);
            }
        });
    }

    private void report() {
        if (moved) {
            moved = false;
            LOG.log(System.Logger.Level.INFO, "The slots of a lost Redis are served by another one: locks go on there");
        }
    }

    private boolean isTroubled(RedisURI node) {
        SocketAddress address = client.getResources().socketAddressResolver().resolve(node);
        return sessions.isTroubled(Session.nameOf(
                address instanceof InetSocketAddress inet && inet.isUnresolved()
                        ? new InetSocketAddress(inet.getHostString(), inet.getPort())
                        : address));
    }

    private CompletionStage<Partitions> ask(RedisURI node) {
        CompletableFuture<String> answer =
                connections.apply(node).thenCompose(asked -> asked.async().clusterNodes());
        return answer.orTimeout(ANSWER_LIMIT.toNanos(), TimeUnit.NANOSECONDS).thenApply(ClusterPartitionParser::parse);
    }

    private void answered(@Nullable Partitions seen) {
        if (seen != null && seen.stream().anyMatch(this::servesOtherSlots)) {
            refresh();
        }
        goOn();
    }

    private boolean servesOtherSlots(RedisClusterNode node) {
        RedisClusterNode known = client.getPartitions().getPartitionByNodeId(node.getNodeId());
        return !node.hasNoSlots() && (known == null || !known.hasSameSlotsAs(node));
    }

    /** What is under way takes no longer for the nodes that do not answer. */
    private void refresh() {
        if (refreshing) {
            sessions.giveUpTroubled();
        } else {
            refreshing = true;
            moved = true;
            client.refreshPartitionsAsync().whenCompleteAsync((done, failure) -> refreshing = false, loop);
        }
    }

    private void onLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException clientIsClosed) {
            closed = true;
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
