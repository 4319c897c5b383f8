package io.distributedlock.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.internal.time.SystemScheduler;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.testkit.server.RedisFleet;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Waiting for a lock of three masters. */
@Execution(ExecutionMode.SAME_THREAD)
class QuorumHintsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** Two for each of four tries: one takes the node's vote, one gives it back. */
    private static final long MANY_SCRIPTS = 8;

    private static RedisFleet fleet;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final String key = UUID.randomUUID().toString();
    private final String id = "" + key;

    @BeforeAll
    static void start() {
        fleet = RedisFleet.start(3);
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    /**
     * A store that hears of releases from all nodes, and in which time stands still: no caller looks without being told.
     */
    private QuorumLockStore open() {
        return open(new ManualScheduler());
    }

    private QuorumLockStore open(Scheduler time) {
        List<QuorumNode> nodes =
                fleet.uris().stream().map(uri -> new QuorumNode(uri, node(uri))).toList();
        QuorumLockStore store = new QuorumLockStore(nodes, TIMEOUT, time);
        opened.add(store);
        awaitHints(store);
        return store;
    }

    private static RedisLockStore node(String uri) {
        return new RedisLockStore(new RedisLockConnection(RedisClientSource.of(RedisURI.create(uri)), TIMEOUT), "lock");
    }

    private static void awaitHints(QuorumLockStore store) {
        Claim first = new Claim(UUID.randomUUID().toString(), "first");
        Claim probe = new Claim(first.id(), "probe");
        await().ignoreExceptions().until(() -> {
            now(store.acquire(first, TTL, Duration.ZERO));
            store.acquire(probe, TTL, PATIENCE).toCompletableFuture().join();
            boolean everywhere = hintsOf(first.id()) == 3;
            store.release(probe);
            return everywhere;
        });
        now(store.release(first));
    }

    private LockClient client() {
        LockClient client = LockClient.builder(open(new SystemScheduler()))
                .commandTimeout(TIMEOUT)
                .build();
        opened.add(0, client);
        return client;
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** At how many nodes there are hints. */
    private static long hintsOf(String id) {
        return fleet.servers().stream()
                .filter(server ->
                        server.command("EXISTS", "lock:{" + id + "}:q").equals(1L))
                .count();
    }

    /** A majority is enough for its holder; who finds a node free looks again soon. */
    private void awaitHeldByAll() {
        await().until(() -> fleet.servers().stream()
                .allMatch(
                        server -> server.command("EXISTS", "lock:{" + id + "}").equals(1L)));
    }

    private LockRequest wanted(Duration wait) {
        return LockRequest.of(key).withWaitTime(wait);
    }

    private CompletableFuture<LockHandle> waiting(LockClient client) {
        CompletableFuture<LockHandle> waiter = client.acquireAsync(wanted(PATIENCE));
        await().until(() -> hintsOf(id) == 3);
        return waiter;
    }

    private void awaitNoHints() {
        await().until(() -> hintsOf(id) == 0);
    }

    @Test
    void aReleaseTellsWhoWaitsSoThatItNeedNotLook() {
        QuorumLockStore store = open();
        Claim holder = new Claim(id, "holder");
        Claim waiter = new Claim(id, "waiter");
        assertThat(now(store.acquire(holder, TTL, PATIENCE))).isInstanceOf(Granted.class);
        Refused refused = (Refused) now(store.acquire(waiter, TTL, PATIENCE));
        assertThat(refused.queued()).isTrue();
        now(store.release(holder));
        assertThat(now(refused.grantNotification())).isEqualTo(Optional.empty());
        assertThat(now(store.acquire(waiter, TTL, PATIENCE))).isInstanceOf(Granted.class);
        awaitNoHints();
    }

    /** How many scripts the first node has run. */
    private static long scripts() {
        return fleet.servers().get(0).calls("evalsha");
    }

    @Test
    void whoWaitsInVainHasHardlyAsked() {
        LockClient client = client();
        try (LockHandle held = client().acquire(wanted(PATIENCE))) {
            awaitHeldByAll();
            long before = scripts();
            assertThatExceptionOfType(LockNotAcquiredException.class)
                    .isThrownBy(() -> client.acquire(wanted(Duration.ofMillis(1_500))));
            assertThat(scripts() - before).isLessThanOrEqualTo(MANY_SCRIPTS);
            assertThat(held.isHeld()).isTrue();
        }
        awaitNoHints();
    }

    @Test
    void aHintThatGotLostOnlyCostsTime() {
        LockHandle held = client().acquire(wanted(PATIENCE));
        CompletableFuture<LockHandle> waiter = waiting(client());
        fleet.servers().forEach(server -> server.command("DEL", "lock:{" + id + "}:q"));
        held.release();
        waiter.orTimeout(60, TimeUnit.SECONDS).join().release();
        awaitNoHints();
    }

    @Test
    void aProcessThatIsGoneIsPassedOver() {
        LockHandle held = client().acquire(wanted(PATIENCE));
        QuorumLockStore gone = open();
        now(gone.acquire(new Claim(id, "gone"), TTL, PATIENCE));
        QuorumLockStore store = open();
        Refused refused = (Refused) now(store.acquire(new Claim(id, "waiter"), TTL, PATIENCE));
        gone.close();
        held.release();
        assertThat(now(refused.grantNotification())).isEqualTo(Optional.empty());
    }

    @Test
    void whoIsCancelledLeavesNoHint() {
        try (LockHandle held = client().acquire(wanted(PATIENCE))) {
            waiting(client()).cancel(true);
            awaitNoHints();
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void aMinorityWithoutMessagesIsNotMissed() {
        QuorumLockStore store = open();
        Claim holder = new Claim(id, "holder");
        now(store.acquire(holder, TTL, PATIENCE));
        fleet.server(0).pause();
        try {
            Refused refused = (Refused) now(store.acquire(new Claim(id, "waiter"), TTL, PATIENCE));
            assertThat(refused.queued()).isTrue();
            store.release(holder);
            assertThat(now(refused.grantNotification())).isEqualTo(Optional.empty());
        } finally {
            fleet.server(0).resume();
        }
    }
}
