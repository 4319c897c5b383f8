package io.distributedlock.benchmarks.peer;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The floor of being handed a lock by the server: a list with one token. It has no lease and no owner, and a connection
 * for each thread.
 */
final class RawBlpop implements PeerClient {

    private static final String TOKEN = "token";
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final RawConnections connections;
    private final RedisCommands<String, String> redis;
    private final ThreadLocal<RedisCommands<String, String>> blocking;

    RawBlpop(int port) {
        this.connections = RawConnections.plain(port);
        this.redis = connections.connect().sync();
        this.blocking = ThreadLocal.withInitial(() -> connections.connect().sync());
    }

    @Override
    public @Nullable Hold acquire(String key, Duration wait) {
        if (!known.contains(key)) {
            create(key);
        }
        boolean granted = blocking.get().blpop(wait.toNanos() / NANOS_PER_SECOND, key) != null;
        return granted ? () -> release(key) : null;
    }

    /** The first client puts the token into the list. */
    private void create(String key) {
        if (redis.set(key + ":created", TOKEN, SetArgs.Builder.nx()) != null) {
            release(key);
        }
        known.add(key);
    }

    private void release(String key) {
        redis.rpush(key, TOKEN);
    }

    @Override
    public void close() {
        connections.close();
    }
}
