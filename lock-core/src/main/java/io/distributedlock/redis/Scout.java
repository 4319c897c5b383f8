package io.distributedlock.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.netty.util.concurrent.EventExecutor;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Has a successor searched for while the connection to a master behind Sentinels is lost or silent. */
final class Scout implements Lookout, RedisConnectionStateListener {

    private final AtomicReference<@Nullable Search> present = new AtomicReference<>();
    private final Supplier<@Nullable Search> searches;
    private volatile boolean closed;

    Scout(RedisClient client, Sentinels sentinels, Detour detour, Supplier<@Nullable EventExecutor> loops) {
        this.searches = () -> {
            EventExecutor loop = loops.get();
            return loop == null ? null : new Search(client, sentinels, detour, loop);
        };
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
        troubled();
    }

    @Override
    public void troubled() {
        Search search = closed ? null : searches.get();
        if (search != null && present.compareAndSet(null, search)) {
            search.begin();
        }
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
        end();
    }

    @Override
    public void relieved() {
        end();
    }

    private void end() {
        Search last = present.getAndSet(null);
        if (last != null) {
            last.end();
        }
    }

    @Override
    public void close() {
        closed = true;
        end();
    }
}
