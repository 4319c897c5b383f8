package io.distributedlock.redis;

import io.distributedlock.spi.StoreException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Extends leases, many with one script, and gives each caller its own answer: that one lock is not held, or can't be extended, is nothing to
 * the others. What happens to a script as a whole happened to each of its locks.
 *
 * <p>In a Cluster only locks of the same slot share a script.
 */
final class Extensions {

    private static final LuaScript EXTEND = LuaScript.named("extend", "batch");
    private static final LuaScript EXTEND_SHARE = LuaScript.named("extend-share", "batch");
    private static final int EVERY_SLOT = -1;

    private final Map<Integer, ExtensionLane> lanes = new ConcurrentHashMap<>();
    private final RedisConnections connections;
    private final UnaryOperator<String> fenceKeys;
    private final boolean ofShares;

    /** The lane of all locks where there are no slots. */
    private volatile @Nullable ExtensionLane shared;

    /** @param fenceKeys gives the fence counter of a lock; all locks that share a script have the same */
    Extensions(RedisConnections connections, UnaryOperator<String> fenceKeys) {
        this(connections, fenceKeys, false);
    }

    private Extensions(RedisConnections connections, UnaryOperator<String> fenceKeys, boolean ofShares) {
        this.connections = connections;
        this.fenceKeys = fenceKeys;
        this.ofShares = ofShares;
    }

    /** The same for shares of locks. */
    static Extensions ofShares(RedisConnections connections, UnaryOperator<String> fenceKeys) {
        return new Extensions(connections, fenceKeys, true);
    }

    CompletionStage<Boolean> extend(Extension wish) {
        try {
            ExtensionLane lane = shared;
            return (lane == null ? laneOf(wish) : lane).add(wish);
        } catch (RuntimeException notSent) {
            return CompletableFuture.failedFuture(RedisReplies.failure(notSent));
        }
    }

    private ExtensionLane laneOf(Extension wish) {
        boolean isCluster = connections.commands() instanceof RedisAdvancedClusterAsyncCommands;
        int slot = isCluster ? SlotHash.getSlot(wish.key()) : EVERY_SLOT;
        ExtensionLane lane = lanes.computeIfAbsent(slot, each -> new ExtensionLane(connections::loop, this::send));
        if (!isCluster) {
            shared = lane;
        }
        return lane;
    }

    private CompletionStage<?> send(List<Extension> batch) {
        CompletionStage<Object> reply;
        try {
            LuaScript script = ofShares ? EXTEND_SHARE : EXTEND;
            reply = script.run(connections.commands(), ScriptOutputType.MULTI, keys(batch), arguments(batch));
        } catch (RuntimeException notSent) {
            reply = CompletableFuture.failedFuture(notSent);
        }
        return reply.handle((answers, failure) -> {
            answer(batch, answers, failure);
            return batch;
        });
    }

    private List<String> keys(List<Extension> batch) {
        List<String> keys = new ArrayList<>(batch.size() * (ofShares ? 2 : 1) + 1);
        keys.add(fenceKeys.apply(batch.get(0).key()));
        for (Extension each : batch) {
            keys.add(each.key());
            if (ofShares) {
                keys.add(LockKeys.shares(each.key()));
            }
        }
        return keys;
    }

    private static String[] arguments(List<Extension> batch) {
        String[] arguments = new String[3 * batch.size()];
        int i = 0;
        for (Extension each : batch) {
            arguments[i++] = each.claim().owner();
            arguments[i++] = RedisLockStore.millis(each.ttl());
            arguments[i++] = String.valueOf(each.token());
        }
        return arguments;
    }

    private void answer(List<Extension> batch, @Nullable Object reply, @Nullable Throwable failure) {
        if (failure == null && reply instanceof List<?> answers && answers.size() == batch.size()) {
            for (int i = 0; i < batch.size(); i++) {
                answer(batch.get(i), answers.get(i));
            }
        } else {
            StoreException whole =
                    failure == null ? RedisReplies.unexpected() : connections.noted(RedisReplies.failure(failure));
            batch.forEach(each -> each.answer().completeExceptionally(whole));
        }
    }

    private void answer(Extension extension, @Nullable Object element) {
        try {
            extension.answer().complete(RedisReplies.flagOfElement(element));
        } catch (StoreException unclear) {
            extension.answer().completeExceptionally(connections.noted(unclear));
        }
    }
}
