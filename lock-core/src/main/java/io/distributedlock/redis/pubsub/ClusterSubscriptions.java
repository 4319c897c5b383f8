package io.distributedlock.redis.pubsub;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.event.EventBus;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * Where the messages of the nodes of a Cluster arrive. A script counts only the processes that its own node reaches, so
 * each node needs a subscription on the very connection that carries the scripts to it. It is made with the connection,
 * be that the first to a master, or one to which a promoted replica, a new node or a moved slot leads, and the first
 * script comes behind it.
 */
public final class ClusterSubscriptions implements RedisConnectionStateListener {

    private final Map<RedisChannelHandler<?, ?>, Subscription> byConnection = new ConcurrentHashMap<>();
    private final Map<Address, Subscription> byAddress = new ConcurrentHashMap<>();
    private final MessageListener messageListener;

    public ClusterSubscriptions(MessageListener messageListener) {
        this.messageListener = messageListener;
    }

    /** The connection to the Cluster as a whole leads to a node that has a connection of its own. */
    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress node) {
        if (connection instanceof StatefulRedisPubSubConnection<?, ?>
                && !(connection instanceof StatefulRedisClusterPubSubConnection<?, ?>)
                && !byConnection.containsKey(connection)) {
            byConnection.values().removeIf(Subscription::isOver);
            byAddress.values().removeIf(Subscription::isOver);
            byConnection.put(connection, Subscription.at(ofText(connection), messageListener));
        }
    }

    /** All connections of our client have the same codec. */
    @SuppressWarnings("unchecked")
    private static StatefulRedisPubSubConnection<String, String> ofText(RedisChannelHandler<?, ?> connection) {
        return (StatefulRedisPubSubConnection<String, String>) connection;
    }

    /**
     * Opens a connection to every master whenever the driver finds that the Cluster has changed: claims that wait at a
     * new one receive its messages only on a connection, and perhaps no command needs one.
     */
    public static Disposable connectToNewMasters(
            StatefulRedisClusterPubSubConnection<String, String> cluster, EventBus events) {
        return events.get()
                .ofType(ClusterTopologyChangedEvent.class)
                .flatMapIterable(ClusterTopologyChangedEvent::after)
                .filter(node -> !node.hasNoSlots())
                .subscribe(master -> connection(cluster, Address.of(master.getUri())));
    }

    /** That at the master that serves a lock as far as the driver knows; null as long as it is not connected. */
    @Nullable
    public Subscription of(StatefulRedisClusterPubSubConnection<String, String> cluster, String lock) {
        RedisClusterNode master = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(lock));
        if (master == null) {
            return null;
        }
        Address address = Address.of(master.getUri());
        Subscription known = byAddress.get(address);
        if (known != null && !known.isOver()) {
            return known;
        }
        StatefulRedisPubSubConnection<String, String> connection = connection(cluster, address);
        Subscription found = connection == null ? null : byConnection.get((RedisChannelHandler<?, ?>) connection);
        if (found != null) {
            byAddress.put(address, found);
        }
        return found;
    }

    /** The connection that carries scripts to a master; null if there is none yet, or no more. */
    @Nullable
    private static StatefulRedisPubSubConnection<String, String> connection(
            StatefulRedisClusterPubSubConnection<String, String> cluster, Address master) {
        try {
            CompletableFuture<StatefulRedisPubSubConnection<String, String>> connection =
                    cluster.getConnectionAsync(master.host(), master.port());
            return connection.isCompletedExceptionally() ? null : connection.getNow(null);
        } catch (RedisException | IllegalStateException unknownOrClosed) {
            return null;
        }
    }

    /** What the driver knows its connections by; a node can take its id to another address. */
    private record Address(String host, int port) {

        static Address of(RedisURI node) {
            return new Address(node.getHost(), node.getPort());
        }
    }
}
