package io.distributedlock.faults;

import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.resp.RespError;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** Clients of several servers that change their roles. */
abstract class TopologyTest {

    static final String KEY = "lock:{42}";
    static final Duration COMMAND_TIMEOUT = Duration.ofMillis(500);

    /** Longer than any failover takes, so that a lock can outlast one. */
    static final Duration TTL = Duration.ofSeconds(30);

    private final List<LockClient> opened = new ArrayList<>();

    LockClient client(RedisClientSource source, Duration ttl) {
        return client(source, ttl, COMMAND_TIMEOUT);
    }

    LockClient client(RedisClientSource source, Duration ttl, Duration commandTimeout) {
        RedisLockConnection connections = new RedisLockConnection(source, commandTimeout);
        LockClient made = LockClient.builder(new RedisLockStore(connections, "lock"))
                .commandTimeout(commandTimeout)
                .ttl(ttl)
                .build();
        opened.add(made);
        FaultTest.warmUp(made);
        return made;
    }

    @AfterEach
    void closeClients() {
        opened.forEach(LockClient::close);
    }

    static LockHandle take(LockClient client) {
        return FaultTest.take(client, LockRequest.of("42").withFencing());
    }

    static long pttl(RedisServer server) {
        return (Long) server.command("PTTL", KEY);
    }

    static void awaitHeldAt(RedisServer server) {
        await().until(() -> pttl(server) > 0);
    }

    static void awaitFreeAt(RedisServer server) {
        await().until(() -> pttl(server) < 0);
    }

    /** Until the lease has been renewed: a whole one is left, but for what has passed since. */
    static void awaitRenewalAt(RedisServer server) {
        long[] last = {Long.MAX_VALUE};
        await().pollInterval(10, TimeUnit.MILLISECONDS).until(() -> {
            long left = pttl(server);
            boolean renewed = left > last[0];
            last[0] = left;
            return renewed;
        });
    }

    /**
     * How long after the new master has accepted its first write the first lock is granted, which is printed as well;
     * negative if the write was noticed later.
     *
     * @param successors those of whom one will become the master
     */
    static Duration delayOfFirstGrant(LockClient client, List<RedisServer> successors) {
        CompletableFuture<Long> written = CompletableFuture.supplyAsync(
                () -> momentOf(() -> successors.stream().anyMatch(TopologyTest::acceptsWrites)));
        long granted = momentOf(() -> {
            try (LockHandle lock = client.acquire(FaultTest.once("42"))) {
                return lock.isHeld();
            }
        });
        Duration delay = Duration.ofNanos(granted - written.join());
        System.out.println("first grant after the new master's first write: " + delay.toMillis() + " ms");
        return delay;
    }

    private static long momentOf(Callable<Boolean> condition) {
        await().atMost(90, TimeUnit.SECONDS)
                .pollInterval(3, TimeUnit.MILLISECONDS)
                .ignoreExceptions()
                .until(condition);
        return System.nanoTime();
    }

    private static boolean acceptsWrites(RedisServer server) {
        try {
            return "OK".equals(server.command("SET", "{42}:probe", "v"));
        } catch (RespError notTheMaster) {
            return false;
        }
    }
}
