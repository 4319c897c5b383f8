package io.distributedlock.redis.listing;

import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.cluster.pubsub.api.async.RedisClusterPubSubAsyncCommands;
import java.util.Collections;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The masters of a Cluster in the order of their first slots, each over the connection that carries its locks. */
final class Masters {

    private final Supplier<Partitions> nodes;
    private final Function<RedisClusterNode, CompletionStage<RedisClusterAsyncCommands<String, String>>> connect;

    private Masters(
            Supplier<Partitions> nodes,
            Function<RedisClusterNode, CompletionStage<RedisClusterAsyncCommands<String, String>>> connect) {
        this.nodes = nodes;
        this.connect = connect;
    }

    /** Null for one server. */
    @Nullable
    static Masters of(BaseRedisAsyncCommands<String, String> commands) {
        if (commands instanceof RedisClusterPubSubAsyncCommands<String, String> all) {
            StatefulRedisClusterPubSubConnection<String, String> cluster = all.getStatefulConnection();
            return new Masters(
                    cluster::getPartitions,
                    master -> cluster.getConnectionAsync(host(master), port(master))
                            .thenApply(connection -> connection.async()));
        }
        if (commands instanceof RedisAdvancedClusterAsyncCommands<String, String> all) {
            StatefulRedisClusterConnection<String, String> cluster = all.getStatefulConnection();
            return new Masters(
                    cluster::getPartitions,
                    master -> cluster.getConnectionAsync(host(master), port(master))
                            .thenApply(connection -> connection.async()));
        }
        return null;
    }

    private static String host(RedisClusterNode node) {
        return node.getUri().getHost();
    }

    private static int port(RedisClusterNode node) {
        return node.getUri().getPort();
    }

    /** The one that has this slot; null if none has. */
    @Nullable
    RedisClusterNode at(int slot) {
        return nodes.get().getMasterBySlot(slot);
    }

    /** The first slot of the next one. */
    OptionalInt after(int slot) {
        return nodes.get().stream()
                .filter(node -> node.getRole().isUpstream() && !node.hasNoSlots())
                .mapToInt(node -> Collections.min(node.getSlots()))
                .filter(first -> first > slot)
                .min();
    }

    CompletionStage<RedisClusterAsyncCommands<String, String>> commandsOf(RedisClusterNode master) {
        return connect.apply(master);
    }
}
