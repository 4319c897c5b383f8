package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class VotingNodeTest {

    private static final Duration LONGEST_LEASE = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
    private final RedisLockStore store = store(LONGEST_LEASE);

    private RedisLockStore store(Duration longestLease) {
        return RedisLockStore.votingNode(
                new RedisLockConnection(RedisClientSource.of(RedisURI.create(server.uri())), TIMEOUT),
                "lock",
                true,
                longestLease);
    }

    @BeforeEach
    void reach() {
        await().ignoreExceptions().until(() -> {
            store.ready().toCompletableFuture().join();
            return true;
        });
    }

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    /** What a try to take a free lock comes to. */
    private Object outcome() {
        return outcome(store);
    }

    private static Object outcome(RedisLockStore store) {
        Claim claim = new Claim(UUID.randomUUID().toString(), "owner");
        try {
            AcquireResult attempt = store.acquire(claim, LONGEST_LEASE, Duration.ofMinutes(1))
                    .toCompletableFuture()
                    .join();
            store.release(claim);
            return attempt;
        } catch (CompletionException failed) {
            return failed.getCause();
        }
    }

    private void awaitQuarantine() {
        AtomicReference<Object> last = new AtomicReference<>();
        await().untilAsserted(() -> {
            last.set(outcome());
            assertThat(last.get()).isInstanceOf(StoreException.class);
            assertThat((StoreException) last.get()).hasMessageContaining("QUARANTINE");
        });
        assertThat(((StoreException) last.get()).effect()).isEqualTo(Effect.REFUSED);
    }

    /** It comes when the longest lease is over since this run of the server was first seen, by the server's clock. */
    private void awaitGrant() {
        await().until(() -> outcome() instanceof Granted);
        List<?> time = (List<?>) server.command("TIME");
        long now = Long.parseLong(String.valueOf(time.get(0))) * 1_000
                + Long.parseLong(String.valueOf(time.get(1))) / 1_000;
        long since = Long.parseLong(
                String.valueOf(server.command("GET", "lock:since")).split(" ")[1]);
        assertThat(now - since).isGreaterThanOrEqualTo(LONGEST_LEASE.toMillis());
    }

    @Test
    void aNodeWithoutDataGrantsNothingUntilForgottenLocksAreOver() {
        awaitQuarantine();
        awaitGrant();
        server.command("FLUSHALL");
        awaitQuarantine();
        awaitGrant();
    }

    /**
     * The locks that the node has forgotten may be its own, but the node has been there for long enough for the others.
     */
    @Test
    void aClientWithLongerLeasesWaitsForLongerAfterARestartAndKeepsNoOtherWaiting() {
        awaitQuarantine();
        awaitGrant();
        Object marker = server.command("GET", "lock:since");
        try (RedisLockStore another = store(LONGEST_LEASE.multipliedBy(1_000))) {
            await().untilAsserted(() -> assertThat(outcome(another).toString()).contains("QUARANTINE"));
        }
        assertThat(server.command("GET", "lock:since")).isEqualTo(marker);
        awaitGrant();
    }

    /** Whether its data is of the last moment or of an earlier one can't be seen from it. */
    @Tag("long")
    @Test
    void aNodeThatWasRestartedGrantsNothingUntilForgottenLocksAreOver() {
        awaitQuarantine();
        awaitGrant();
        Object marker = server.command("GET", "lock:since");
        server.restart();
        assertThat(server.command("GET", "lock:since")).isEqualTo(marker);
        awaitQuarantine();
        awaitGrant();
    }

    @Test
    void aMarkerOfAClockThatWasAheadDoesNotKeepTheNodeFromVoting() {
        awaitQuarantine();
        String run = String.valueOf(server.command("GET", "lock:since")).split(" ")[0];
        long inAYear = System.currentTimeMillis() + Duration.ofDays(365).toMillis();
        server.command("SET", "lock:since", run + " " + inAYear);
        awaitGrant();
    }

    @Test
    void aUserWhoMayNotAskWhichRunOfTheServerThisIsGetsNoLock() {
        server.command("ACL", "SETUSER", "default", "-info");
        await().untilAsserted(() -> {
            Object last = outcome();
            assertThat(last).isInstanceOf(StoreException.class);
            assertThat((StoreException) last).hasMessageContaining("+info");
            assertThat(((StoreException) last).effect()).isEqualTo(Effect.REFUSED);
        });
    }

    @Test
    void theMarkerNeverExpires() {
        awaitQuarantine();
        assertThat(server.command("PTTL", "lock:since")).isEqualTo(-1L);
    }
}
