package io.distributedlock.redis.listing;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Looks through the keys of a Redis for those of locks, for one page; in a Cluster through those of its masters, by
 * their first slots. Each command looks at a few hundred keys at most, so that none stops the server for long.
 */
final class LockScan {

    /** For a Redis that has many other keys: a page ends here even if it is empty. */
    private static final int MAX_STEPS = 20;

    private static final int MIN_COUNT = 50;
    /** A place where most keys are locks: a reply of more would take a slow server a millisecond. */
    private static final int MAX_COUNT = 250;
    /** A place that has few. */
    private static final int SPARSE_COUNT = 500;

    /** Each with the time of its server in microseconds. */
    private final Map<String, Long> found = new LinkedHashMap<>();

    private final RedisClusterAsyncCommands<String, String> commands;
    private final @Nullable Masters cluster;
    private final String pattern;
    private final int limit;
    private boolean sparse;

    LockScan(BaseRedisAsyncCommands<String, String> commands, String pattern, int limit) {
        this.commands = (RedisClusterAsyncCommands<String, String>) commands;
        this.cluster = Masters.of(commands);
        this.pattern = pattern;
        this.limit = limit;
    }

    CompletionStage<Found> from(ScanPosition start) {
        return step(start, MAX_STEPS);
    }

    private CompletionStage<Found> step(ScanPosition position, int left) {
        if (found.size() >= limit || left == 0) {
            return CompletableFuture.completedFuture(new Found(found, position.text(cluster != null)));
        }
        RedisClusterNode master = cluster == null ? null : cluster.at(position.slot());
        if (cluster != null && master == null) {
            return after(position, left);
        }
        String node = master == null ? "" : master.getNodeId();
        boolean continues = node.equals(position.node());
        ScanCursor cursor = ScanCursor.of(continues ? position.cursor() : ScanPosition.BEGINNING);
        CompletionStage<RedisClusterAsyncCommands<String, String>> connected = cluster == null || master == null
                ? CompletableFuture.completedFuture(commands)
                : cluster.commandsOf(master);
        return connected.thenCompose(server -> {
            CompletionStage<List<String>> time = server.time();
            return server.scan(cursor, ScanArgs.Builder.matches(pattern).limit(count()))
                    .thenCombine(time, this::note)
                    .thenCompose(keys -> keys.isFinished()
                            ? after(position, left - 1)
                            : step(new ScanPosition(position.slot(), node, keys.getCursor()), left - 1));
        });
    }

    /** A place that has few locks is looked through faster. */
    private int count() {
        return sparse ? SPARSE_COUNT : Math.min(MAX_COUNT, Math.max(MIN_COUNT, limit - found.size()));
    }

    private KeyScanCursor<String> note(KeyScanCursor<String> keys, List<String> time) {
        long now = Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
        sparse = keys.getKeys().size() < MIN_COUNT / 10;
        keys.getKeys().forEach(key -> found.putIfAbsent(key, now));
        return keys;
    }

    /** The next master, or the end. */
    private CompletionStage<Found> after(ScanPosition position, int left) {
        OptionalInt next = cluster == null ? OptionalInt.empty() : cluster.after(position.slot());
        return next.isPresent()
                ? step(ScanPosition.atNode(next.getAsInt()), left)
                : CompletableFuture.completedFuture(new Found(found, null));
    }

    /**
     * Where locks were found.
     *
     * @param locks their keys, each with the time of its server in microseconds
     * @param next where the next page begins; null if there is none
     */
    record Found(Map<String, Long> locks, @Nullable String next) {}
}
