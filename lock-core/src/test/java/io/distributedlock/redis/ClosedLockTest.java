package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockMode;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.quorum.QuorumLockStore;
import io.distributedlock.quorum.QuorumNode;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.StoredLock;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lock that is kept closed after a forced release, in each kind of store. */
@Timeout(120)
class ClosedLockTest {

    private static final Duration MARGIN = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final LockRequest WANTED = LockRequest.of("orders", "42");

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    enum Kind {
        MEMORY,
        REDIS,
        QUORUM
    }

    /** Stores of the same locks, one for each client. */
    private Supplier<LockStore> stores(Kind kind) {
        switch (kind) {
            case MEMORY:
                InMemoryLockStore memory = new InMemoryLockStore();
                return () -> memory;
            case REDIS:
                return () -> PatientStore.of(server.uri());
            default:
                List<QuorumNode> nodes = IntStream.range(0, 3)
                        .mapToObj(i -> new QuorumNode("node-" + i, new InMemoryLockStore()))
                        .toList();
                return () -> new QuorumLockStore(nodes, Duration.ofSeconds(1));
        }
    }

    private static LockClient client(LockStore store) {
        LockClient client =
                LockClient.builder(store).ttl(LONG).stopMargin(MARGIN).build();
        client.connect(Duration.ofMinutes(2));
        return client;
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aLockThatIsTakenByForceStaysClosedForTheMarginAndIsTheNextWaitersThen(Kind kind) {
        Supplier<LockStore> stores = stores(kind);
        try (LockClient holding = client(stores.get());
                LockClient waiting = client(stores.get());
                LockClient operating = client(stores.get())) {
            LockHandle lost = holding.acquire(WANTED);
            CompletableFuture<LockHandle> next = waiting.acquireAsync(WANTED.withWaitTime(LONG));
            long before = System.nanoTime();
            assertThat(operating.monitor().forceRelease("orders:42")).isPresent();
            assertThat(operating.tryAcquire(WANTED)).as("it is closed").isEmpty();
            assertThat(lost.lost().toCompletableFuture().join()).isEqualTo(LossReason.FORCED);
            LockHandle granted = next.join();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(MARGIN);
            assertThat(granted.isHeld()).isTrue();
            granted.release();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aHolderInTheProcessOfTheOperatorIsGivenTheMarginToo(Kind kind) {
        Supplier<LockStore> stores = stores(kind);
        try (LockClient holding = client(stores.get());
                LockClient waiting = client(stores.get())) {
            LockHandle lost = holding.acquire(WANTED);
            long before = System.nanoTime();
            assertThat(holding.monitor().forceRelease("orders:42")).isPresent();
            assertThat(lost.isHeld()).isFalse();
            assertThat(waiting.tryAcquire(WANTED)).isEmpty();
            LockHandle granted = waiting.acquire(WANTED.withWaitTime(LONG));
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(MARGIN);
            granted.release();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aReleaseByTheOwnerThatLostItDoesNotOpenIt(Kind kind) {
        LockStore store = stores(kind).get();
        join(store.ready());
        LockInspection inspection = (LockInspection) store;
        Claim held = new Claim("orders:42", "AAAAAAAABBBBBBCCCCCCCCCCCCC");
        assertThat(join(store.acquire(held, LONG, Duration.ZERO))).isInstanceOf(Granted.class);
        Claim found = new Claim(
                held.id(),
                join(inspection.find(held.id())).orElseThrow().owners().get(0));
        assertThat(join(inspection.replace(found, "closing", LONG))).isTrue();
        assertThat(join(store.release(held)).held()).isFalse();
        assertThat(join(store.extend(held, 0, LONG))).isZero();
        assertThat(join(inspection.find(held.id())).orElseThrow().owners()).containsExactly("closing");
        assertThat(join(inspection.replace(found, "another", LONG)))
                .as("a second time")
                .isFalse();
        join(inspection.forceRelease(new Claim(held.id(), "closing")));
        assertThat(join(inspection.find(held.id()))).isEmpty();
        store.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"MEMORY", "REDIS"})
    void aShareThatIsTakenByForceKeepsOthersOutWhoWantTheLockAlone(Kind kind) {
        LockStore store = stores(kind).get();
        join(store.ready());
        LockInspection inspection = (LockInspection) store;
        Claim one = new Claim("report", "one", LockMode.SHARED, true);
        Claim other = new Claim("report", "other", LockMode.SHARED, true);
        join(store.acquire(one, LONG, Duration.ZERO));
        join(store.acquire(other, Duration.ofSeconds(30), Duration.ZERO));
        assertThat(join(inspection.replace(one, "closing", MARGIN))).isTrue();
        StoredLock stored = join(inspection.find("report")).orElseThrow();
        assertThat(stored.owners()).containsExactlyInAnyOrder("closing", "other");
        assertThat(stored.remaining()).as("the longest share").isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
        assertThat(join(store.release(other)).held()).isTrue();
        Claim alone = new Claim("report", "alone");
        assertThat(join(store.acquire(alone, LONG, Duration.ZERO))).isNotInstanceOf(Granted.class);
        await().until(() -> join(store.acquire(alone, LONG, Duration.ZERO)) instanceof Granted);
        store.close();
    }
}
