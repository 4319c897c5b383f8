package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockMode;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The mark that says that claims are queued for a lock: when it is set, and that it changes nothing for its owner. */
class QueuedLockMarkTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String KEY = "lock:{42}";
    private static final Claim HOLDER = new Claim("42", "holder");
    private static final Claim FIRST = new Claim("42", "first");
    private static final Claim SECOND = new Claim("42", "second");

    private final RedisServer server = RedisServer.start();
    private final RedisLockStore store = RedisLockStore.of(RedisURI.create(server.uri()));

    @BeforeEach
    void takeTheLock() {
        now(store.ready());
        assertThat(now(store.acquire(HOLDER, LEASE, Duration.ZERO))).isInstanceOf(Granted.class);
    }

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    @Test
    void aClaimThatDoesNotWaitLeavesNoMark() {
        assertThat(now(store.acquire(FIRST, LEASE, Duration.ZERO))).isInstanceOf(Refused.class);
        assertThat(value()).isEqualTo("holder");
    }

    @Test
    void aQueuedClaimMarksTheLockAndLeavesItsLeaseAlone() {
        server.command("PEXPIRE", KEY, "20000");
        queue(FIRST);
        assertThat(value()).isEqualTo("holder!");
        assertThat((Long) server.command("PTTL", KEY)).isBetween(1L, 20_000L);
        queue(SECOND);
        assertThat(value()).isEqualTo("holder!");
    }

    @Test
    void aQueuedClaimForAShareMarksTheLockOfAWriter() {
        queue(new Claim("42", "reader", LockMode.SHARED));
        assertThat(value()).isEqualTo("holder!");
    }

    @Test
    void theOwnerOfAMarkedLockExtendsItDrawsATokenAndIsFound() {
        queue(FIRST);
        assertThat(now(store.extend(HOLDER, 0, LEASE.multipliedBy(2)))).isEqualTo(LEASE.multipliedBy(2));
        assertThat(now(store.drawToken(HOLDER))).isPositive();
        assertThat(now(store.find("42")).orElseThrow().owners()).containsExactly("holder");
        assertThat(now(store.acquire(HOLDER, LEASE, Duration.ZERO))).isInstanceOf(Granted.class);
        assertThat(value()).isEqualTo("holder!");
        assertThat(now(store.releaseAfter(HOLDER, Duration.ofMillis(1)))).isTrue();
        await().until(() -> server.command("EXISTS", KEY).equals(0L));
    }

    @Test
    void aMarkIsNoOwner() {
        queue(FIRST);
        Claim forged = new Claim("42", "holde");
        assertThat(now(store.extend(forged, 0, LEASE))).isZero();
        assertThat(now(store.release(forged)).held()).isFalse();
        assertThat(now(store.drawToken(forged))).isZero();
        assertThat(value()).isEqualTo("holder!");
    }

    @Test
    void aMarkedLockIsGrantedToTheFirstOfTheQueueMarkedAgain() {
        Refused first = queue(FIRST);
        Refused second = queue(SECOND);
        assertThat(now(store.release(HOLDER)).held()).isTrue();
        assertThat(now(first.grantNotification())).isPresent();
        assertThat(value()).isEqualTo("first!");
        assertThat(now(store.release(FIRST)).held()).isTrue();
        assertThat(now(second.grantNotification())).isPresent();
        assertThat(now(store.release(SECOND)).held()).isTrue();
        assertThat(server.command("EXISTS", KEY)).isEqualTo(0L);
    }

    @Test
    void aLockThatIsTakenWhileOthersAreQueuedIsMarked() {
        Refused first = queue(FIRST);
        queue(SECOND);
        server.command("DEL", KEY);
        assertThat(acquire(SECOND)).isInstanceOf(Granted.class);
        assertThat(value()).isEqualTo("second!");
        assertThat(now(store.release(SECOND)).held()).isTrue();
        assertThat(now(first.grantNotification())).isPresent();
        now(store.release(FIRST));
    }

    @Test
    void aMarkedLockIsReleasedByForce() {
        queue(FIRST);
        assertThat(now(store.forceRelease(HOLDER)).held()).isTrue();
        assertThat(value()).isEqualTo("first!");
        now(store.release(FIRST));
    }

    private Refused queue(Claim claim) {
        Refused refused = (Refused) acquire(claim);
        assertThat(refused.queued()).isTrue();
        return refused;
    }

    private AcquireResult acquire(Claim claim) {
        return await().until(
                        () -> now(store.acquire(claim, LEASE, PATIENCE)),
                        result -> result instanceof Granted || ((Refused) result).queued());
    }

    private Object value() {
        return server.command("GET", KEY);
    }

    private static <T> T now(CompletionStage<T> call) {
        return call.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
