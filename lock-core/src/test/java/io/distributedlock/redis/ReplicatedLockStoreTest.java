package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicatedLockStoreTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration TTL = Duration.ofSeconds(30);

    private static RedisServer master;
    private static RedisServer replica;
    private static ReplicatedLockStore store;

    @BeforeAll
    static void start() {
        master = RedisServer.start("--repl-diskless-sync-delay", "0");
        replica = RedisServer.start("--replicaof", "127.0.0.1", String.valueOf(master.port()));
        store = store(1, Duration.ofSeconds(4));
    }

    private static ReplicatedLockStore store(int replicas, Duration limit) {
        return new ReplicatedLockStore(new RedisLockStore(connections(), "lock"), connections(), replicas, limit);
    }

    private static RedisLockConnection connections() {
        return new RedisLockConnection(RedisClientSource.of(RedisURI.create(master.uri())), TIMEOUT);
    }

    @AfterAll
    static void stop() {
        store.close();
        replica.close();
        master.close();
    }

    @BeforeEach
    void reach() {
        await().until(() ->
                String.valueOf(replica.command("INFO", "replication")).contains("master_link_status:up"));
        store.ready().toCompletableFuture().join();
    }

    @AfterEach
    void resume() {
        replica.resume();
    }

    private static Claim claim() {
        return new Claim(UUID.randomUUID().toString(), "owner");
    }

    @Test
    void aGrantIsAtTheReplicaBeforeItIsGiven() {
        for (int i = 0; i < 20; i++) {
            Claim claim = claim();
            assertThat(store.acquire(claim, TTL, Duration.ZERO)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Granted.class);
            assertThat(replica.command("GET", "lock:{" + claim.id() + "}")).isEqualTo("owner");
        }
    }

    /** Redis reads a limit of no milliseconds as no limit. */
    @ParameterizedTest
    @ValueSource(strings = {"PT0.05S", "PT0.0005S"})
    void aGrantThatTooFewReplicasHaveIsNoAnswerAndIsTakenBack(Duration limit) {
        Claim claim = claim();
        try (ReplicatedLockStore hasty = store(1, limit)) {
            hasty.ready().toCompletableFuture().join();
            replica.pause();
            Throwable failure = catchThrowable(() -> hasty.acquire(claim, TTL, Duration.ZERO)
                    .toCompletableFuture()
                    .join());
            assertThat(failure).hasCauseInstanceOf(StoreException.class);
            assertThat(((StoreException) failure.getCause()).effect()).isEqualTo(Effect.UNKNOWN);
            assertThat(failure)
                    .hasMessageContaining("0 of 1 replicas acknowledged the lock within " + limit.toMillis() + " ms");
            assertThat(hasty.release(claim).toCompletableFuture().join().held()).isTrue();
        }
        assertThat(master.command("EXISTS", "lock:{" + claim.id() + "}")).isEqualTo(0L);
    }

    @Test
    void aCallerIsToldHowManyReplicasWereMissingAndNothingIsLeftBehind() {
        try (LockClient client = LockClient.builder(store(2, Duration.ofSeconds(1)))
                .waitTime(Duration.ofMillis(500))
                .build()) {
            assertThatExceptionOfType(LockUnavailableException.class)
                    .isThrownBy(() -> client.acquire("too few"))
                    .withMessageContaining("1 of 2 replicas acknowledged the lock within 1000 ms");
            await().until(() -> master.command("KEYS", "*too*few*").equals(List.of()));
        }
    }

    @Test
    void manyGrantsShareOneQuestionToTheReplicas() {
        long before = questions();
        IntStream.range(0, 200)
                .mapToObj(i -> store.acquire(claim(), TTL, Duration.ZERO).toCompletableFuture())
                .toList()
                .forEach(grant -> assertThat(grant.join()).isInstanceOf(Granted.class));
        assertThat(questions() - before).isLessThan(100);
    }

    @Test
    void manyExtensionsShareAScriptHereToo() {
        List<Claim> claims =
                Stream.generate(ReplicatedLockStoreTest::claim).limit(200).toList();
        claims.forEach(claim ->
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture().join());
        Set<Integer> extended = ConcurrentHashMap.newKeySet();
        long before = master.calls("evalsha");
        store.prepareExtension(claims, 1, TTL).extend((place, left, failure) -> {
            if (left != null && !left.isZero()) {
                extended.add(place);
            }
        });
        await().until(() -> extended.size() == claims.size());
        assertThat(master.calls("evalsha") - before).isLessThan(10);
    }

    private static long questions() {
        return master.calls("wait");
    }

    @Test
    void aLockIsReleasedAndExtendedWithoutAReplica() {
        Claim claim = claim();
        Granted granted = (Granted)
                store.acquire(claim, TTL, Duration.ZERO).toCompletableFuture().join();
        replica.pause();
        assertThat(store.extend(claim, granted.token(), TTL)
                        .toCompletableFuture()
                        .join())
                .isPositive();
        assertThat(store.release(claim).toCompletableFuture().join().held()).isTrue();
    }
}
