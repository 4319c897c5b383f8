package io.distributedlock.redis.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.testkit.server.RedisFleet;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which connection a lock's messages come on, while nodes come, go and change places. */
class ClusterSubscriptionsTest {

    private static final int SLOTS = 16_384;

    private final ClusterSubscriptions posts = new ClusterSubscriptions(new TestMessageListener());
    private final Map<Integer, StatefulRedisPubSubConnection<String, String>> connections = new HashMap<>();
    private final RedisClient client = RedisClient.create();
    private RedisFleet servers;
    private Partitions partitions = new Partitions();
    private boolean closed;

    @BeforeEach
    void connect() {
        servers = RedisFleet.start(2);
        servers.servers().forEach(server -> {
            StatefulRedisPubSubConnection<String, String> connection =
                    client.connectPubSub(RedisURI.create(server.uri()));
            connections.put(server.port(), connection);
            posts.onRedisConnected(
                    (RedisChannelHandler<?, ?>) connection, new InetSocketAddress("127.0.0.1", server.port()));
        });
    }

    @AfterEach
    void disconnect() {
        client.shutdown();
        servers.close();
    }

    @Test
    void aNodeThatTakesItsIdToTheAddressOfAnotherOneIsHeardFromThere() {
        partitions = servedBy("first-node", 0);
        Subscription before = posts.of(cluster(), "lock:{42}");
        assertThat(before).isNotNull();
        partitions = servedBy("first-node", 1);
        assertThat(posts.of(cluster(), "lock:{42}")).isNotNull().isNotSameAs(before);
        partitions = servedBy("second-node", 0);
        assertThat(posts.of(cluster(), "lock:{42}")).isSameAs(before);
    }

    @Test
    void whoseConnectionWasGivenUpIsNotHeardAnyMore() {
        partitions = servedBy("first-node", 0);
        assertThat(posts.of(cluster(), "lock:{42}")).isNotNull();
        connections.get(port(0)).close();
        closed = true;
        assertThat(posts.of(cluster(), "lock:{42}")).isNull();
    }

    @Test
    void aSlotThatNoCallerServesHasNoMessages() {
        assertThat(posts.of(cluster(), "lock:{42}")).isNull();
    }

    private int port(int index) {
        return servers.server(index).port();
    }

    private Partitions servedBy(String id, int index) {
        RedisClusterNode node = RedisClusterNode.of(id);
        node.setUri(RedisURI.create(servers.server(index).uri()));
        node.setSlots(IntStream.range(0, SLOTS).boxed().toList());
        Partitions all = new Partitions();
        all.add(node);
        all.updateCache();
        return all;
    }

    /** A driver that knows the nodes as given, and the connections to them. */
    @SuppressWarnings("unchecked")
    private StatefulRedisClusterPubSubConnection<String, String> cluster() {
        return (StatefulRedisClusterPubSubConnection<String, String>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {StatefulRedisClusterPubSubConnection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getPartitions" -> partitions;
                    case "getConnectionAsync" -> connectionTo((Integer) arguments[1]);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private CompletableFuture<StatefulRedisPubSubConnection<String, String>> connectionTo(int port) {
        if (closed) {
            throw new IllegalStateException("ConnectionProvider is already closed");
        }
        return CompletableFuture.completedFuture(connections.get(port));
    }
}
