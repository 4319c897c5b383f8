package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.SAME_THREAD)
class LockHintsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration TTL = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static RedisServer server;

    private final List<RedisLockStore> stores = new ArrayList<>();
    private final String id = UUID.randomUUID().toString();
    private final Claim holder = new Claim(id, "holder");
    private final RedisLockStore store = open();

    @BeforeAll
    static void start() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void hold() {
        assertThat(now(store.acquire(holder, TTL, Duration.ZERO))).isInstanceOf(Granted.class);
    }

    @AfterEach
    void close() {
        stores.forEach(RedisLockStore::close);
    }

    /** A node of a quorum, as soon as hints can be left through it. */
    private RedisLockStore open() {
        RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(server.uri())), TIMEOUT);
        RedisLockStore opened = RedisLockStore.votingNode(connections, "lock", true, TTL);
        stores.add(opened);
        Claim first = new Claim(UUID.randomUUID().toString(), "first");
        Claim probe = new Claim(first.id(), "probe");
        await().ignoreExceptions().until(() -> {
            now(opened.acquire(first, TTL, Duration.ZERO));
            boolean hints =
                    now(opened.acquire(probe, TTL, probe, PATIENCE)) instanceof Refused refused && refused.queued();
            now(opened.withdraw(probe));
            return hints;
        });
        return opened;
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }

    private Claim waiter(String name) {
        return new Claim(id, name);
    }

    private AcquireResult attempt(RedisLockStore by, String waiter) {
        return now(by.acquire(new Claim(id, waiter + "." + UUID.randomUUID()), TTL, waiter(waiter), PATIENCE));
    }

    private Refused hinted(RedisLockStore by, String waiter) {
        Refused refused = (Refused) attempt(by, waiter);
        assertThat(refused.queued()).isTrue();
        return refused;
    }

    private static void assertTold(Refused refused) {
        assertThat(now(refused.grantNotification())).isEqualTo(Optional.empty());
    }

    private long hints() {
        return (Long) server.command("ZCARD", "lock:{" + id + "}:q");
    }

    @Test
    void aReleaseTellsTheFirstHintAndLeavesTheLockFree() {
        Refused first = hinted(store, "first");
        Refused second = hinted(store, "second");
        assertThat(now(store.release(holder)).held()).isTrue();
        assertTold(first);
        assertThat(second.grantNotification().toCompletableFuture()).isNotDone();
        assertThat(now(store.acquire(new Claim(id, "newcomer"), TTL, Duration.ZERO)))
                .isInstanceOf(Granted.class);
    }

    @Test
    void whoTriesAgainKeepsItsPlaceAndHasOneHint() {
        hinted(store, "first");
        Refused second = hinted(store, "second");
        Refused again = hinted(store, "first");
        assertThat(hints()).isEqualTo(2);
        now(store.release(holder));
        assertTold(again);
        assertThat(second.grantNotification().toCompletableFuture()).isNotDone();
    }

    @Test
    void whoIsToldAndGivesUpLetsTheNextOneBeTold() {
        Refused first = hinted(store, "first");
        Refused second = hinted(store, "second");
        now(store.release(holder));
        assertTold(first);
        now(store.withdraw(waiter("first")));
        assertTold(second);
    }

    @Test
    void aHintThatIsWithdrawnIsNotTold() {
        Refused first = hinted(store, "first");
        Refused second = hinted(store, "second");
        now(store.withdraw(waiter("first")));
        assertThat(hints()).isEqualTo(1);
        now(store.release(holder));
        assertTold(second);
        assertThat(first.grantNotification().toCompletableFuture()).isNotDone();
    }

    @Test
    void aProcessThatIsGoneIsPassedOver() {
        RedisLockStore gone = open();
        hinted(gone, "gone");
        Refused second = hinted(store, "second");
        gone.close();
        await().until(() -> numberOfListeners() == 1);
        now(store.release(holder));
        assertTold(second);
    }

    private int numberOfListeners() {
        return ((List<?>) server.command("PUBSUB", "CHANNELS", "lock:grants:*")).size();
    }

    @Test
    void whatIsTakenBackUnheardTellsNoCaller() {
        Refused first = hinted(store, "first");
        assertThat(now(store.discard(holder)).held()).isTrue();
        assertThat(hints()).isEqualTo(1);
        assertThat(first.grantNotification().toCompletableFuture()).isNotDone();
    }

    @Test
    void whoGetsTheLockHasNoHintLeft() {
        hinted(store, "first");
        now(store.discard(holder));
        assertThat(attempt(store, "first")).isInstanceOf(Granted.class);
        assertThat(hints()).isZero();
    }

    @Test
    void aNodeWithoutMessagesRefusesWithoutAHint() {
        RedisLockConnection connections =
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(server.uri())), TIMEOUT);
        try (RedisLockStore silent = RedisLockStore.votingNode(connections, "lock", false, TTL)) {
            now(silent.ready());
            Refused refused = (Refused) attempt(silent, "first");
            assertThat(refused.queued()).isFalse();
            assertThat(hints()).isZero();
        }
    }
}
