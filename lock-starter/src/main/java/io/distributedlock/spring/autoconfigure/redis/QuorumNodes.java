package io.distributedlock.spring.autoconfigure.redis;

import io.distributedlock.quorum.QuorumLockStore;
import io.distributedlock.quorum.QuorumNode;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisDiagnosis;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import io.distributedlock.spring.autoconfigure.properties.QuorumProperties;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The connections to the nodes of a quorum, by host and port. */
public final class QuorumNodes {

    private static final String CLIENT_NAME = "distributed-lock";

    private final Map<String, RedisLockConnection> connections;

    QuorumNodes(Map<String, RedisURI> addresses, ClientOptions options, Duration commandTimeout) {
        this.connections = addresses.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, node -> connections(node.getValue(), options, commandTimeout)));
    }

    private static RedisLockConnection connections(RedisURI uri, ClientOptions options, Duration commandTimeout) {
        if (uri.getClientName() == null) {
            uri.setClientName(CLIENT_NAME);
        }
        return new RedisLockConnection(RedisClientSource.of(uri, options), commandTimeout);
    }

    List<RedisLockConnection> connections() {
        return List.copyOf(connections.values());
    }

    /** The store over all nodes; closing it closes them. */
    QuorumLockStore store(DistributedLockProperties locks, QuorumProperties quorum, String keyPrefix) {
        List<QuorumNode> nodes = connections.entrySet().stream()
                .map(node -> node(node.getKey(), node.getValue(), locks, keyPrefix, quorum.restartQuarantine()))
                .toList();
        return new QuorumLockStore(nodes, quorum.nodeTimeout());
    }

    @Override
    public String toString() {
        return "a quorum of the Redis masters "
                + connections.keySet().stream().sorted().toList();
    }

    private static QuorumNode node(
            String name,
            RedisLockConnection connections,
            DistributedLockProperties locks,
            String keyPrefix,
            Duration quarantine) {
        boolean notifications = locks.redis().notifications();
        RedisLockStore store = quarantine.isZero()
                ? new RedisLockStore(connections, keyPrefix, notifications)
                : RedisLockStore.votingNode(connections, keyPrefix, notifications, quarantine);
        if (locks.redis().selfTest()) {
            new RedisSelfCheck(store, new RedisDiagnosis(connections, keyPrefix, notifications), name + ": ").begin();
        }
        return new QuorumNode(name, store);
    }
}
