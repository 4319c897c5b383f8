package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.internal.support.CapturedLog;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When it is opened: that costs time while an application starts. */
class FirstConnectionTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final int LIMIT_SECONDS = 30;
    private static final Duration LONG_PAUSE = Duration.ofHours(1);

    private final RedisServer server = RedisServer.start();
    private final WatchedSource source = new WatchedSource(RedisClientSource.of(RedisURI.create(server.uri())));
    private final RedisLockConnection connections = new RedisLockConnection(source, TIMEOUT);

    @AfterEach
    void stop() {
        connections.close();
        server.close();
    }

    @Test
    void itIsOpenedAtOnceUnlessThereIsAPause() {
        connections.start();
        source.first.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }

    @Test
    void itIsOpenedAfterThePauseAlthoughNoCallerAsks() {
        connections.start(Duration.ofMillis(20));
        source.first.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }

    @Test
    void whoNeedsItDoesNotWaitForTheEndOfThePause() {
        connections.start(LONG_PAUSE);
        assertThat(source.first).isNotDone();
        connections.ready().toCompletableFuture().join();
        assertThat(source.first).isCompleted();
    }

    @Test
    void aClientConnectsBeforeItsFirstLock() {
        try (LockClient client = client()) {
            client.connect(Duration.ofSeconds(LIMIT_SECONDS));
            assertThat(connections.ready()).isCompleted();
            client.acquire("42").release();
        }
    }

    @Test
    void aClientThatCanNotConnectNamesTheReasonOnce() {
        server.kill();
        try (LockClient client = client()) {
            assertThatThrownBy(() -> client.connect(Duration.ofSeconds(LIMIT_SECONDS)))
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageStartingWith("The lock store was not reached within 30000 ms: Redis can't be reached: ")
                    .hasMessageContaining("Connection refused");
        }
    }

    @Test
    void aWrongPasswordIsNamedInTheWarningAndInTheFailureOfTheFirstTry() {
        server.command("CONFIG", "SET", "requirepass", "right");
        RedisURI wrong = RedisURI.builder(RedisURI.create(server.uri()))
                .withPassword("wrong".toCharArray())
                .build();
        try (CapturedLog log = CapturedLog.of(ClientConnection.class);
                LockClient client = LockClient.builder(RedisLockStore.of(wrong)).build()) {
            assertThatThrownBy(() -> client.acquire("42"))
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("Redis refused: ")
                    .hasMessageContaining("WRONGPASS")
                    .hasMessageContaining("spring.data.redis.username and .password")
                    .hasMessageNotContaining("..")
                    .hasMessageContaining("Check the user of the lock store, its password and its rights");
            assertThat(log.messages()).last().asString().contains("spring.data.redis.username and .password");
        }
    }

    @Test
    void aUserWhomAServerDeniesAfterItCouldNotBeReachedIsAWarningOfItsOwn() {
        RedisURI wrong = RedisURI.builder(RedisURI.create(server.uri()))
                .withPassword("wrong".toCharArray())
                .build();
        RedisLockConnection denied = new RedisLockConnection(RedisClientSource.of(wrong), TIMEOUT);
        server.kill();
        try (CapturedLog log = CapturedLog.of(ClientConnection.class)) {
            assertThat(denied.ready()).failsWithin(Duration.ofSeconds(LIMIT_SECONDS));
            server.restart();
            server.command("CONFIG", "SET", "requirepass", "right");
            await().until(() -> {
                assertThat(denied.ready()).failsWithin(Duration.ofSeconds(LIMIT_SECONDS));
                return log.messages().size() > 1;
            });
            assertThat(denied.ready()).failsWithin(Duration.ofSeconds(LIMIT_SECONDS));
            assertThat(log.messages()).hasSize(2);
            assertThat(log.messages().get(0)).contains("Check its address");
            assertThat(log.messages().get(1)).contains("Check the user and its password");
        } finally {
            denied.close();
        }
    }

    @Test
    void aClosedClientDoesNotConnect() {
        LockClient client = client();
        client.close();
        assertThatThrownBy(() -> client.connect(Duration.ofSeconds(LIMIT_SECONDS)))
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        closed -> assertThat(closed.outcome()).isEqualTo(Outcome.CLOSED));
    }

    private LockClient client() {
        return LockClient.builder(new RedisLockStore(connections, "lock")).build();
    }

    @Test
    void aServerThatCanNotBeReachedIsOneWarningAndTheReasonOfEachFailure() {
        server.kill();
        try (CapturedLog log = CapturedLog.of(ClientConnection.class)) {
            for (int i = 0; i < 3; i++) {
                assertThat(connections.ready())
                        .failsWithin(Duration.ofSeconds(LIMIT_SECONDS))
                        .withThrowableThat()
                        .withMessageContaining("Redis can't be reached: ")
                        .withMessageContaining(":" + server.port());
            }
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains("Locks can't reach Redis (")
                    .contains("127.0.0.1:" + server.port())
                    .contains("Connection refused")
                    .contains("LockUnavailableException");
        }
        assertThatThrownBy(connections::commands)
                .hasMessageContaining("Redis is not connected yet; the last attempt failed: ")
                .hasMessageContaining("Connection refused");
    }

    private static final class WatchedSource implements RedisClientSource {

        private final CompletableFuture<Void> first = new CompletableFuture<>();
        private final RedisClientSource source;

        WatchedSource(RedisClientSource source) {
            this.source = source;
        }

        @Override
        public AbstractRedisClient open(LockClientOptions safety) {
            first.complete(null);
            return source.open(safety);
        }

        @Override
        public void close(AbstractRedisClient client) {
            source.close(client);
        }
    }
}
