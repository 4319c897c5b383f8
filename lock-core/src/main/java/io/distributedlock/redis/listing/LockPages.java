package io.distributedlock.redis.listing;

import io.distributedlock.redis.script.LockKeys;
import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.spi.LockListing.ListedLock;
import io.distributedlock.spi.LockListing.Page;
import io.distributedlock.spi.StoreException;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Lists the locks of one key prefix, page by page. Changes nothing, and lets the commands of locks through. */
public final class LockPages {

    /** So many locks are read at once: few enough to keep no other command waiting for a millisecond. */
    private static final int PORTION = 50;

    private final LockKeys keys;

    public LockPages(LockKeys keys) {
        this.keys = keys;
    }

    /** @param cursor null for the first page */
    public CompletionStage<Page> page(
            BaseRedisAsyncCommands<String, String> commands, @Nullable String cursor, int limit) {
        LockReader reader = new LockReader((RedisClusterAsyncCommands<String, String>) commands, keys);
        return new LockScan(commands, keys.pattern(), limit)
                .from(ScanPosition.parse(cursor))
                .thenCompose(found -> read(reader, withoutProbes(found.locks()), new ArrayList<>())
                        .thenApply(locks -> new Page(locks, found.next(), null)))
                .exceptionally(failure -> {
                    throw explained(RedisReplies.failure(failure));
                });
    }

    private List<Map.Entry<String, Long>> withoutProbes(Map<String, Long> locks) {
        return locks.entrySet().stream()
                .filter(lock -> !keys.isProbe(lock.getKey()))
                .toList();
    }

    private static StoreException explained(StoreException failure) {
        return failure.isDenied()
                ? StoreException.denied(
                        failure.getMessage()
                                + ". A list of all locks needs the right +scan; the locks themselves do without",
                        failure.getCause())
                : failure;
    }

    private static CompletionStage<List<ListedLock>> read(
            LockReader reader, List<Map.Entry<String, Long>> locks, List<ListedLock> done) {
        int size = Math.min(PORTION, locks.size());
        if (size == 0) {
            return CompletableFuture.completedFuture(done);
        }
        List<CompletableFuture<Optional<ListedLock>>> portion = locks.subList(0, size).stream()
                .map(lock -> reader.read(lock.getKey(), lock.getValue()))
                .toList();
        return CompletableFuture.allOf(portion.toArray(CompletableFuture<?>[]::new))
                .thenCompose(all -> {
                    portion.forEach(lock -> lock.getNow(Optional.empty()).ifPresent(done::add));
                    return read(reader, locks.subList(size, locks.size()), done);
                });
    }
}
