package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole way from a client's call to a real Redis and back. */
class RedisLockClientTest {

    private final RedisServer server = RedisServer.start();
    private LockClient client;

    @BeforeEach
    void connect() {
        client = LockClient.builder(RedisLockStore.of(RedisURI.create(server.uri())))
                .ttl(Duration.ofSeconds(3))
                .build();
        firstOf(client, "warm-up").release();
    }

    @AfterEach
    void disconnect() {
        client.close();
        server.close();
    }

    @Test
    void aDriverOfWhichAPartIsMissingFailsTheCallAndNamesThePart() {
        RedisClientSource broken = new RedisClientSource() {
            @Override
            public AbstractRedisClient open(LockClientOptions safety) {
                throw new NoClassDefFoundError("io/netty/Part");
            }

            @Override
            public void close(AbstractRedisClient client) {}
        };
        RedisLockConnection connections = new RedisLockConnection(broken, Duration.ofMillis(100));
        try (LockClient other =
                LockClient.builder(new RedisLockStore(connections, "lock")).build()) {
            assertThatThrownBy(() -> other.acquire("42"))
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("io/netty/Part");
        }
    }

    @Test
    void aLockExcludesUntilItIsReleased() {
        try (LockClient patient =
                LockClient.builder(PatientStore.of(server.uri())).build()) {
            patient.connect(Duration.ofMinutes(2));
            try (LockHandle first = patient.acquire("42")) {
                assertThat(first.isHeld()).isTrue();
                assertThatThrownBy(() -> patient.acquire(LockRequest.of("42").withWaitTime(Duration.ZERO)))
                        .isInstanceOf(LockNotAcquiredException.class)
                        .hasMessageContaining("42");
            }
            assertThat(patient.tryAcquire(LockRequest.of("42").withWaitTime(Duration.ZERO)))
                    .isPresent();
        }
    }

    @Test
    void aLockWithoutATtlOutlivesItsFirstLease() {
        LockClient quick = LockClient.builder(RedisLockStore.of(RedisURI.create(server.uri())))
                .ttl(Duration.ofSeconds(3))
                .commandTimeout(Duration.ofSeconds(1))
                .build();
        try (LockHandle lock = firstOf(quick, "renewed")) {
            long renewals = server.calls("pexpire");
            await().until(() -> server.calls("pexpire") > renewals + 4);
            assertThat(lock.isHeld()).isTrue();
            assertThat(server.command("GET", "lock:{renewed}")).isNotNull();
        } finally {
            quick.close();
        }
    }

    @Test
    void aLockWithATtlEndsWithItAndTheHolderIsTold() {
        LockHandle lock = client.acquire(LockRequest.of("short").withTtl(Duration.ofSeconds(1)));
        assertThat(lock.lost()
                        .toCompletableFuture()
                        .orTimeout(20, TimeUnit.SECONDS)
                        .join())
                .isEqualTo(LossReason.DEADLINE);
        assertThat(lock.isHeld()).isFalse();
        assertThatThrownBy(lock::release)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LossReason.DEADLINE));
        await().until(() -> server.command("EXISTS", "lock:{short}").equals(0L));
    }

    @Test
    void aDeletedKeyIsALostLock() {
        LockHandle lock = client.acquire("deleted");
        server.command("DEL", "lock:{deleted}");
        assertThat(lock.lost()
                        .toCompletableFuture()
                        .orTimeout(20, TimeUnit.SECONDS)
                        .join())
                .isEqualTo(LossReason.NOT_OWNER);
        assertThatThrownBy(lock::requireHeld).isInstanceOf(LockLostException.class);
    }

    @Test
    void aServerThatIsAwayIsAnErrorAndNotARefusal() {
        client.acquire("warm-up").release();
        server.kill();
        await().untilAsserted(() -> assertThatThrownBy(() -> client.acquire("42"))
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        failure ->
                                assertThat(failure.outcome()).isEqualTo(LockUnavailableException.Outcome.UNAVAILABLE)));
        server.restart();
        await().ignoreExceptions().until(() -> client.tryAcquire("42").isPresent());
    }

    @Test
    void aServerThatWasNeverThereIsAnErrorAndNotARefusal() {
        server.kill();
        try (LockClient cold = LockClient.builder(RedisLockStore.of(RedisURI.create(server.uri())))
                .build()) {
            assertThatThrownBy(() -> cold.acquire("42"))
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("could not be requested");
        }
    }

    @Test
    void manyThreadsOnOneLockNeverOverlap() throws Exception {
        LockTemplate template = new LockTemplate(client);
        int[] unguarded = {0};
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            ends.add(threads.submit(() -> {
                for (int n = 0; n < 25; n++) {
                    template.run(LockRequest.of("hot").withWaitTime(Duration.ofMinutes(2)), lock -> unguarded[0]++);
                }
            }));
        }
        for (Future<?> end : ends) {
            end.get();
        }
        threads.shutdown();
        assertThat(unguarded[0]).isEqualTo(200);
    }

    /** The first lock of a client; on a busy machine the connection may need more than one call's patience. */
    private static LockHandle firstOf(LockClient client, String key) {
        return await().ignoreExceptionsInstanceOf(LockUnavailableException.class)
                .until(() -> unbound(client.acquire(key)), LockHandle::isHeld);
    }

    /** For the thread that tries ends with its tries. */
    private static LockHandle unbound(LockHandle lock) {
        lock.unbind();
        return lock;
    }
}
