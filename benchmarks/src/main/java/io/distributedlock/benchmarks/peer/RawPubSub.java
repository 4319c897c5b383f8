package io.distributedlock.benchmarks.peer;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The floor of waiting by message: each release publishes, one waiter of each process wakes and tries again. */
final class RawPubSub implements PeerClient {

    private static final String RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) "
            + "redis.call('PUBLISH', KEYS[1], '') return 1 end return 0";
    private static final long ASK_ANYWAY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SetArgs onlyIfFree = SetArgs.Builder.nx().px(Lease.LENGTH);
    private final Map<String, Semaphore> signals = new ConcurrentHashMap<>();
    private final RawOwners owners = new RawOwners();
    private final RawConnections connections;
    private final StatefulRedisPubSubConnection<String, String> messages;
    private final RedisCommands<String, String> redis;
    private final String release;

    RawPubSub(int port) {
        this.connections = RawConnections.plain(port);
        this.redis = connections.connect().sync();
        this.release = redis.scriptLoad(RELEASE);
        this.messages = connections.connectPubSub();
        messages.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String message) {
                wakeOne(signals.get(channel));
            }
        });
    }

    /** At most one signal is kept for later: it is for who has just tried in vain, but does not wait yet. */
    private static void wakeOne(@Nullable Semaphore signal) {
        if (signal != null && signal.availablePermits() == 0) {
            signal.release();
        }
    }

    @Override
    public @Nullable Hold acquire(String key, Duration wait) {
        long begin = System.nanoTime();
        String owner = owners.next();
        if (isGranted(key, owner)) {
            return () -> release(key, owner);
        }
        Semaphore signal = signals.computeIfAbsent(key, this::subscribe);
        while (!isGranted(key, owner)) {
            long left = wait.toNanos() - (System.nanoTime() - begin);
            if (left <= 0) {
                return null;
            }
            Patience.granted(() -> signal.tryAcquire(Math.min(left, ASK_ANYWAY_NANOS), TimeUnit.NANOSECONDS));
        }
        return () -> release(key, owner);
    }

    private boolean isGranted(String key, String owner) {
        return redis.set(key, owner, onlyIfFree) != null;
    }

    private Semaphore subscribe(String key) {
        messages.sync().subscribe(key);
        return new Semaphore(0, true);
    }

    private void release(String key, String owner) {
        Long deleted = redis.evalsha(release, ScriptOutputType.INTEGER, new String[] {key}, owner);
        if (deleted != 1) {
            throw new IllegalStateException("the key had another owner");
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}
