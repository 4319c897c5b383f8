package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Shards behind one address, as some proxies have them: the client takes it for one Redis, but scripts may touch one
 * hash slot only.
 */
class ShardedServerTest {

    private static RedisServer server;
    private static LockClient client;

    @BeforeAll
    static void start() {
        server = RedisServer.start("--cluster-enabled", "yes");
        server.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
        await().until(() -> String.valueOf(server.command("CLUSTER", "INFO")).contains("cluster_state:ok"));
        client = LockClient.builder(RedisLockStore.of(RedisURI.create(server.uri())))
                .ttl(Duration.ofSeconds(3))
                .build();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void locksOfAllSlotsAreGrantedRenewedAndReleased() {
        List<LockHandle> locks = IntStream.range(0, 20)
                .mapToObj(i -> client.acquire(LockRequest.of("orders", "order-" + i)))
                .toList();
        long renewals = client.monitor().statistics().renewals();
        await().until(() -> client.monitor().statistics().renewals() >= renewals + 40);
        assertThat(locks).allMatch(LockHandle::isHeld);
        locks.forEach(LockHandle::close);
        assertThat(client.monitor().statistics().failedRenewals()).isZero();
        assertThat(server.command("KEYS", "lock:{*")).isEqualTo(List.of());
    }

    @Test
    void aLockIsHandedToItsWaiter() {
        LockClient other = LockClient.builder(RedisLockStore.of(RedisURI.create(server.uri())))
                .build();
        try {
            LockHandle first = client.acquire(LockRequest.of("contended").withFencing());
            var waiting = other.acquireAsync(LockRequest.of("contended").withFencing());
            await().until(() -> server.command("EXISTS", "lock:{contended}:q"), Long.valueOf(1)::equals);
            long token = first.fencingToken();
            first.close();
            assertThat(waiting.join().fencingToken()).isGreaterThan(token);
            waiting.join().close();
        } finally {
            other.close();
        }
    }
}
