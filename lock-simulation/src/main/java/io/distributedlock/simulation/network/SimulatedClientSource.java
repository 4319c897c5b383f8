package io.distributedlock.simulation.network;

import io.distributedlock.redis.LockClientOptions;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.simulation.clock.Chance;
import io.distributedlock.simulation.clock.Timeline;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Opens connections of the driver that lead through a {@link Link}. */
public final class SimulatedClientSource implements RedisClientSource {

    private static final ClientResources SHARED = DefaultClientResources.create();
    private static final Duration OPENING = Duration.ofMillis(50);

    private final CompletableFuture<Void> wanted = new CompletableFuture<>();
    private final Link link;
    private final Timeline timeline;
    private final long seed;

    /** @param seed of what is drawn while the connection is opened, on a thread of its own */
    public SimulatedClientSource(Link link, Timeline timeline, long seed) {
        this.link = link;
        this.timeline = timeline;
        this.seed = seed;
    }

    /**
     * Opens the connection, and returns when the thread that opens it has done all that comes with that: one thread at
     * a time has the timeline. What a future completes first is what was added last, so the end is waited for from
     * before the opening begins.
     */
    public void connect(RedisLockConnection connection) {
        connection.start();
        CompletableFuture<Void> last = connection.ready().toCompletableFuture().thenRun(() -> {});
        wanted.complete(null);
        last.join();
    }

    @Override
    public AbstractRedisClient open(LockClientOptions safety) {
        wanted.join();
        Chance.seed(seed);
        return new SimulatedClient(safety);
    }

    @Override
    public void close(AbstractRedisClient client) {}

    private final class SimulatedClient extends RedisClient {

        private final LockClientOptions safety;

        SimulatedClient(LockClientOptions safety) {
            super(SHARED, new RedisURI());
            this.safety = safety;
        }

        /** Nothing else happens before it is open. */
        @Override
        @SuppressWarnings("unchecked")
        public <K, V> StatefulRedisPubSubConnection<K, V> connectPubSub(RedisCodec<K, V> codec) {
            StatefulRedisPubSubConnection<?, ?> opened = link.open(safety, SHARED);
            timeline.advance(OPENING);
            return (StatefulRedisPubSubConnection<K, V>) opened;
        }

        @Override
        public <K, V> StatefulRedisConnection<K, V> connect(RedisCodec<K, V> codec) {
            return connectPubSub(codec);
        }
    }
}
