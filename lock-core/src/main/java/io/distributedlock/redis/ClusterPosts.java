package io.distributedlock.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the messages of the nodes of a Cluster arrive. A script counts only those whom its own node reaches, so each node needs a subscription on
 * the very connection that carries the scripts to it. It is made with the connection, be that the first to a master, or one to which a promoted
 * replica, a new node or a moved slot leads, and the first script comes behind it.
 */
final class ClusterPosts implements RedisConnectionStateListener {

    private final Map<RedisChannelHandler<?, ?>, Posts> byConnection = new ConcurrentHashMap<>();
    private final Map<String, Posts> byNode = new ConcurrentHashMap<>();
    private final List<Mailbox> mailboxes;
    private final Consumer<List<String>> changed;

    ClusterPosts(List<Mailbox> mailboxes, Consumer<List<String>> changed) {
        this.mailboxes = mailboxes;
        this.changed = changed;
    }

    /** The connection to the Cluster as a whole leads to a node that has one of its own; whoever is told twice there is counted twice. */
    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress node) {
        if (connection instanceof StatefulRedisPubSubConnection<?, ?>
                && !(connection instanceof StatefulRedisClusterPubSubConnection<?, ?>)
                && !byConnection.containsKey(connection)) {
            byConnection.values().removeIf(Posts::isOver);
            byNode.values().removeIf(Posts::isOver);
            byConnection.put(connection, Posts.at(ofText(connection), mailboxes, changed));
        }
    }

    /** All connections of our client have the same codec. */
    @SuppressWarnings("unchecked")
    private static StatefulRedisPubSubConnection<String, String> ofText(RedisChannelHandler<?, ?> connection) {
        return (StatefulRedisPubSubConnection<String, String>) connection;
    }

    /** Those at the master that serves a lock as far as the driver knows; null as long as it is not connected. */
    @Nullable
    Posts of(StatefulRedisClusterPubSubConnection<String, String> cluster, String lock) {
        RedisClusterNode master = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(lock));
        if (master == null) {
            return null;
        }
        Posts known = byNode.get(master.getNodeId());
        if (known != null && !known.isOver()) {
            return known;
        }
        Posts found = byConnection.get(connection(cluster, master.getUri()));
        if (found != null) {
            byNode.put(master.getNodeId(), found);
        }
        return found;
    }

    /** The connection that carries scripts to a master; if there is none yet, that of the Cluster, which has no posts. */
    private static RedisChannelHandler<?, ?> connection(
            StatefulRedisClusterPubSubConnection<String, String> cluster, RedisURI master) {
        try {
            CompletableFuture<StatefulRedisPubSubConnection<String, String>> connection =
                    cluster.getConnectionAsync(master.getHost(), master.getPort());
            return (RedisChannelHandler<?, ?>)
                    (connection.isCompletedExceptionally() ? cluster : connection.getNow(cluster));
        } catch (RedisException unknownMeanwhile) {
            return (RedisChannelHandler<?, ?>) cluster;
        }
    }
}
