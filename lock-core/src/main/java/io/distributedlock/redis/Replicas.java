package io.distributedlock.redis;

import io.distributedlock.redis.script.LockKeys;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Asks masters how many of their replicas have what they have executed so far.
 *
 * <p>The question stops the connection that it is put on until enough replicas have answered or the time is over, so
 * that has to be one of its own. It counts from the last write on that connection, so a small write goes before it. In
 * a Cluster each master is asked by itself.
 */
final class Replicas {

    private static final String LIFE_MILLIS = "60000";

    private final Map<String, Lane> lanes = new ConcurrentHashMap<>();
    private final RedisLockConnection connections;
    private final LockKeys keys;
    private final int enough;
    private final Duration limit;

    /** @param connections carry nothing that must not wait */
    Replicas(RedisLockConnection connections, LockKeys keys, int enough, Duration limit) {
        this.connections = connections;
        this.keys = keys;
        this.enough = enough;
        this.limit = limit;
    }

    /**
     * How many replicas have everything that the master of a lock has executed before this call; it may be more.
     *
     * @throws io.distributedlock.spi.StoreException as not sent if there is no connection
     */
    CompletionStage<Long> count(String id) {
        String lock = keys.lock(id);
        String fence = keys.fence(lock);
        if (connections.commands() instanceof RedisAdvancedClusterAsyncCommands<String, String> cluster) {
            String master = cluster.getStatefulConnection()
                    .getPartitions()
                    .getPartitionBySlot(SlotHash.getSlot(lock))
                    .getNodeId();
            return lanes.computeIfAbsent(master, any -> Lane.of(key -> askInCluster(master, key)))
                    .count(fence);
        }
        return lanes.computeIfAbsent("", any -> Lane.of(key -> ask(connections.anyCommand(), key)))
                .count(fence);
    }

    /** On the connection of now: what the first question used may have been stopped, and another one started. */
    private CompletionStage<Long> askInCluster(String master, String besides) {
        return ((RedisAdvancedClusterAsyncCommands<String, String>) connections.commands())
                .getStatefulConnection()
                .getConnectionAsync(master)
                .thenApply(StatefulRedisConnection::async)
                .thenCompose(commands -> ask(commands, besides));
    }

    private CompletionStage<Long> ask(BaseRedisAsyncCommands<String, String> master, String besides) {
        CommandArgs<String, String> write = new CommandArgs<>(StringCodec.UTF8)
                .addKey(besides + ":replicated")
                .add("1")
                .add("PX")
                .add(LIFE_MILLIS);
        CompletionStage<String> written = master.dispatch(CommandType.SET, new StatusOutput<>(StringCodec.UTF8), write);
        return master.waitForReplication(enough, Math.max(1, limit.toMillis()))
                .thenCombine(written, (count, done) -> count);
    }

    /**
     * The questions to one master.
     *
     * @param recent a counter that it had when it was asked last; its slot may have moved since
     */
    private record Lane(AtomicReference<String> recent, SingleFlight<Long> rounds) {

        static Lane of(Function<String, CompletionStage<Long>> question) {
            AtomicReference<String> recent = new AtomicReference<>("");
            return new Lane(recent, new SingleFlight<>(() -> question.apply(recent.get())));
        }

        CompletionStage<Long> count(String fence) {
            recent.set(fence);
            return rounds.answer();
        }
    }
}
