package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.LockClient;
import io.distributedlock.LockMode;
import io.distributedlock.internal.acquire.Handovers;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release.Outcome;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisLockStoreTest {

    private static RedisServer server;
    private static RedisLockStore store;

    @BeforeAll
    static void start() {
        server = RedisServer.start();
        store = RedisLockStore.of(RedisURI.create(server.uri()));
        store.ready().toCompletableFuture().join();
    }

    @AfterAll
    static void stop() {
        store.close();
        server.close();
    }

    @Test
    void itTellsTheKeyOfALockWithoutAskingTheServer() {
        try (RedisLockStore unreachable = RedisLockStore.of(RedisURI.create("127.0.0.1", 1))) {
            assertThat(unreachable.storeKey("orders:42")).contains("lock:{orders:42}");
        }
        Claim claim = new Claim("orders:42", "the-owner");
        store.acquire(claim, Duration.ofSeconds(30), Duration.ZERO)
                .toCompletableFuture()
                .join();
        assertThat(server.command("EXISTS", store.storeKey("orders:42").orElseThrow()))
                .isEqualTo(1L);
        store.release(claim).toCompletableFuture().join();
    }

    @Test
    void aReleaseTellsAFreeLockFromOneThatAnotherOwnerHolds() {
        Claim holder = new Claim("told apart", "holder");
        store.acquire(holder, Duration.ofSeconds(30), Duration.ZERO)
                .toCompletableFuture()
                .join();
        assertThat(release(new Claim("told apart", "stranger"))).isEqualTo(Outcome.NOT_OWNER);
        assertThat(release(holder)).isEqualTo(Outcome.RELEASED);
        assertThat(release(holder)).isEqualTo(Outcome.ABSENT);
    }

    private static Outcome release(Claim claim) {
        return store.release(claim).toCompletableFuture().join().outcome();
    }

    @Test
    void aLockIsAStringWithTheOwnerAsItsValueAndTheLeaseAsItsExpiry() {
        store.acquire(new Claim("orders:42", "the-owner"), Duration.ofSeconds(30), Duration.ZERO)
                .toCompletableFuture()
                .join();
        assertThat(server.command("GET", "lock:{orders:42}")).isEqualTo("the-owner");
        assertThat((Long) server.command("PTTL", "lock:{orders:42}")).isBetween(1L, 30_000L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "my lock", "lock\t", "a{b", "a}b"})
    void aPrefixThatWouldBreakKeysOrTheQueueIsRefused(String prefix) {
        RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(server.uri())), Duration.ofSeconds(1));
        assertThatThrownBy(() -> new RedisLockStore(connections, prefix))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key prefix");
    }

    @Test
    void aConnectionCarriesTheMessagesOfOneStoreOnly() {
        RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(server.uri())), Duration.ofSeconds(1));
        new RedisLockStore(connections, "first");
        assertThatThrownBy(() -> new RedisLockStore(connections, "second"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has a lock store already");
    }

    @Test
    void transfersBetweenAccountsNeverWaitForEachOther() throws Exception {
        LockClient client = LockClient.builder(store).build();
        assertThat(new Handovers(client).run(8, 50)).isZero();
        client.drain(Duration.ofSeconds(2));
    }

    @Test
    void tokensGoOnGrowingAfterAllDataIsLost() {
        server.command("FLUSHALL");
        long before = ((Granted) store.acquire(
                                new Claim("a", "1", LockMode.EXCLUSIVE, true), Duration.ofSeconds(30), Duration.ZERO)
                        .toCompletableFuture()
                        .join())
                .token();
        server.command("FLUSHALL");
        long after = ((Granted) store.acquire(
                                new Claim("a", "2", LockMode.EXCLUSIVE, true), Duration.ofSeconds(30), Duration.ZERO)
                        .toCompletableFuture()
                        .join())
                .token();
        assertThat(after).isGreaterThan(before);
    }

    @Test
    void scriptsThatTheServerForgotAreSentAgainUnnoticed() {
        server.command("SCRIPT", "FLUSH");
        Claim claim = new Claim("forgotten", "owner");
        assertThat(store.acquire(claim, Duration.ofSeconds(30), Duration.ZERO)
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(Granted.class);
        server.command("SCRIPT", "FLUSH");
        assertThat(store.extend(claim, 1, Duration.ofSeconds(30))
                        .toCompletableFuture()
                        .join())
                .isPositive();
        server.command("SCRIPT", "FLUSH");
        assertThat(store.release(claim).toCompletableFuture().join().held()).isTrue();
    }
}
