package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.testkit.server.RedisFleet;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

/** An application whose locks are kept by five masters. */
class QuorumTests {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String PASSWORD = "open-sesame";
    private static final String KEY = "lock:{42}";
    private static final String NO_QUARANTINE = "distributed-lock.quorum.restart-quarantine=0";

    private final RedisFleet fleet = RedisFleet.start(5, "--requirepass", PASSWORD);

    @AfterEach
    void stop() {
        fleet.close();
    }

    private ConfigurableApplicationContext start(String... more) {
        String urls = fleet.servers().stream()
                .map(server -> "redis://:" + PASSWORD + "@127.0.0.1:" + server.port())
                .collect(Collectors.joining(","));
        return ShopApplication.start(Stream.concat(
                        Stream.of(
                                "distributed-lock.store=quorum",
                                "distributed-lock.quorum.urls=" + urls,
                                "distributed-lock.shutdown.drain-time=0s"),
                        Arrays.stream(more))
                .toArray(String[]::new));
    }

    @Test
    void locksGoOnWithoutAMinorityAndHealthTellsWhoIsSilent() {
        try (ConfigurableApplicationContext shop = start(NO_QUARANTINE)) {
            LockClient client = shop.getBean(LockClient.class);
            LockHandle lock = take(client);
            assertThat(keepers()).isGreaterThanOrEqualTo(3);
            assertThat(client.tryAcquire(LockRequest.of("42").withWaitTime(Duration.ZERO)))
                    .isEmpty();
            await().atMost(LIMIT).until(() -> "5 of 5 answer, 3 needed".equals(detail(shop, "nodes")));

            fleet.server(0).kill();
            fleet.server(1).pause();
            take(client, "43").release();
            assertThat(lock.isHeld()).isTrue();
            await().atMost(LIMIT).until(() -> "3 of 5 answer, 3 needed".equals(detail(shop, "nodes")));
            await().atMost(LIMIT).until(() -> Status.UP.equals(health(shop).getStatus()));
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(detail(shop, "silentNodes"))
                            .contains("127.0.0.1:" + fleet.server(0).port() + "=")
                            .contains("127.0.0.1:" + fleet.server(1).port() + "=no reply within 200 ms")
                            .doesNotContain(PASSWORD));
            lock.release();

            fleet.server(2).kill();
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThatExceptionOfType(LockUnavailableException.class)
                            .isThrownBy(
                                    () -> client.acquire(LockRequest.of("44").withWaitTime(Duration.ZERO)))
                            .withMessageContaining("2 of 5 nodes granted the lock, 3 are needed")
                            .withMessageNotContaining(PASSWORD));
            assertThat(health(shop).getStatus()).isEqualTo(Status.DOWN);
            assertThat(detail(shop, "problem")).isEqualTo("Locks need 3 of 5 nodes, but 2 answer");
        }
    }

    @Test
    void aStoppedContextHoldsNothingAtAnyNodeAndIsUsableAgain() {
        try (ConfigurableApplicationContext shop = start(NO_QUARANTINE)) {
            LockClient client = shop.getBean(LockClient.class);
            LockHandle lock = take(client);
            shop.stop();
            assertThat(lock.isHeld()).isFalse();
            await().atMost(LIMIT).until(() -> keepers() == 0);
            await().atMost(LIMIT).until(() -> lockConnections() == 0);
            shop.start();
            take(client).release();
        }
        await().atMost(LIMIT).until(() -> lockConnections() == 0);
    }

    @Test
    void nodesWithoutDataGrantNothingForAsLongAsALeaseCanLast() {
        try (ConfigurableApplicationContext shop = start("distributed-lock.wait-time=0s")) {
            LockClient client = shop.getBean(LockClient.class);
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThatExceptionOfType(LockUnavailableException.class)
                            .isThrownBy(() -> client.acquire("42"))
                            .withMessageContaining("QUARANTINE"));
            fleet.servers().forEach(QuorumTests::endQuarantine);
            take(client).release();
        }
    }

    private static void endQuarantine(RedisServer server) {
        String marker = String.valueOf(server.command("GET", "lock:since"));
        server.command("SET", "lock:since", marker.split(" ")[0] + " 0");
    }

    private static LockHandle take(LockClient client) {
        return take(client, "42");
    }

    /** The first tries of a busy machine may take too long. */
    private static LockHandle take(LockClient client, String key) {
        return await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(LockUnavailableException.class)
                .until(() -> unbound(client.acquire(key)), LockHandle::isHeld);
    }

    /** For the thread that tries ends with its tries. */
    private static LockHandle unbound(LockHandle lock) {
        lock.unbind();
        return lock;
    }

    private long keepers() {
        return fleet.running().stream()
                .filter(server -> server.command("EXISTS", KEY).equals(1L))
                .count();
    }

    private long lockConnections() {
        return fleet.running().stream().mapToLong(QuorumTests::lockConnections).sum();
    }

    private static long lockConnections(RedisServer server) {
        return String.valueOf(server.command("CLIENT", "LIST"))
                .lines()
                .filter(client -> client.contains("name=distributed-lock"))
                .count();
    }

    private static Health health(ConfigurableApplicationContext shop) {
        return shop.getBean("distributedLockHealthIndicator", HealthIndicator.class)
                .health();
    }

    private static String detail(ConfigurableApplicationContext shop, String name) {
        return String.valueOf(health(shop).getDetails().get(name));
    }
}
