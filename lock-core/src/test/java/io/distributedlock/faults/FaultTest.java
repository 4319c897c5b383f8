package io.distributedlock.faults;

import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockRequest;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisConnections;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.RedisServer;
import io.distributedlock.testkit.Relay;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A Redis, a relay in front of it that can misbehave, and clients on either side of the relay. */
abstract class FaultTest {

    static final Duration COMMAND_TIMEOUT = Duration.ofMillis(300);
    static final Duration TWO_HOURS = Duration.ofHours(2);
    static final String KEY = "lock:{default:42}";

    private final List<AutoCloseable> opened = new ArrayList<>();
    final RedisServer server = RedisServer.start();
    final Relay relay = Relay.to(server.port());
    LockClient client;

    @BeforeEach
    void connect() {
        client = client(relay.uri());
        client.acquire("warm-up").release();
    }

    @AfterEach
    void disconnect() throws Exception {
        relay.refuse(false);
        server.resume();
        for (AutoCloseable each : opened) {
            each.close();
        }
        relay.close();
        server.close();
    }

    LockClient client(String uri) {
        RedisConnections connections =
                new RedisConnections(RedisClientSource.of(RedisURI.create(uri)), COMMAND_TIMEOUT);
        LockClient made = LockClient.builder(new RedisLockStore(connections, "lock"))
                .commandTimeout(COMMAND_TIMEOUT)
                .ttl(Duration.ofSeconds(3))
                .build();
        opened.add(made);
        return made;
    }

    static LockRequest once(String key) {
        return LockRequest.of(key).withWaitTime(Duration.ZERO);
    }

    static boolean isAcquire(String request) {
        return request.contains(KEY) && request.contains("lock:fence") && request.contains("EVAL");
    }

    boolean isInRedis() {
        return server.command("EXISTS", KEY).equals(1L);
    }

    void awaitGone() {
        await().atMost(20, TimeUnit.SECONDS)
                .pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> !isInRedis());
    }

    void awaitClean() {
        await().atMost(20, TimeUnit.SECONDS).until(() -> client.unresolved() == 0);
    }
}
