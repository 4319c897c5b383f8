package io.distributedlock.benchmarks.peer;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** One of Redisson's locks, kept by its watchdog, which lasts 30 s by default. */
final class RedissonPeer implements PeerClient {

    private final RedissonClient client;
    private final BiFunction<RedissonClient, String, RLock> kind;

    RedissonPeer(int port, BiFunction<RedissonClient, String, RLock> kind) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
        this.client = Redisson.create(config);
        this.kind = kind;
    }

    @Override
    public @Nullable Hold acquire(String key, Duration wait) {
        RLock lock = kind.apply(client, key);
        return Patience.granted(() -> lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)) ? lock::unlock : null;
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
