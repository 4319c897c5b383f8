package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The server has no memory left: it refuses what needs more, or throws keys away. */
class FullServerTest extends FaultTest {

    @Test
    void f34AFullServerRefusesANewLockDefinitelyAndNothingIsLeftBehind() {
        LockClient patient = patient(relay.uri());
        fill("noeviction");
        LockUnavailableException told =
                catchThrowableOfType(LockUnavailableException.class, () -> patient.acquire(once("42")));
        assertThat(told.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(told).hasMessageContaining("OOM");
        assertThat(isInRedis()).isFalse();
        assertThat(patient.unresolved()).isZero();
        empty();
        take("42").release();
    }

    @Test
    void f34AHolderIsNotAffectedByAFullServer() {
        LockClient patient = patient(relay.uri());
        LockHandle lock = take(patient, LockRequest.of("42"));
        fill("noeviction");
        long renewals = calls("pexpire");
        await().until(() -> calls("pexpire") >= renewals + 3);
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        assertThat(isInRedis()).isFalse();
        assertThat(patient.unresolved()).isZero();
    }

    @Test
    void f34AWaiterGetsTheLockOnceThereIsMemoryAgain() {
        LockHandle lock = take("42");
        CompletableFuture<LockHandle> waiter =
                patient(relay.uri()).acquireAsync(LockRequest.of("42").withFencing());
        fill("noeviction");
        lock.release();
        empty();
        waiter.orTimeout(20, TimeUnit.SECONDS).join().release();
        awaitGone();
    }

    @Test
    void f34AnAcquireWhoseReplyWasLostIsTakenBackFromAFullServer() {
        relay.holdWhen(Direction.REPLIES, FaultTest::isAcquire).thenRun(() -> relay.hold(Direction.REQUESTS));
        LockUnavailableException told = catchThrowableOfType(
                LockUnavailableException.class, () -> client.acquire(once("42").withTtl(TWO_HOURS)));
        assertThat(told.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(isInRedis()).isTrue();
        fill("noeviction");
        relay.cut(Cut.RST);
        relay.deliver(Direction.REPLIES);
        relay.deliver(Direction.REQUESTS);
        awaitGone();
        awaitClean();
    }

    @Test
    void f35AnEvictedLockIsToldAtTheNextRenewal() {
        LockHandle lock = take("42");
        fill("volatile-ttl");
        awaitGone();
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
        empty();
        try (LockHandle next = take("42")) {
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
    }

    @Test
    void f35TokensGrowAlsoIfTheCounterWasEvictedTogetherWithTheLock() {
        LockHandle lock = take("42");
        fill("allkeys-random");
        awaitGone();
        await().until(() -> server.command("EXISTS", "lock:fence"), Long.valueOf(0)::equals);
        assertThat(awaitLoss(lock)).isEqualTo(LossReason.NOT_OWNER);
        empty();
        try (LockHandle next = take("42")) {
            assertThat(next.fencingToken()).isGreaterThan(lock.fencingToken());
        }
    }

    private void fill(String policy) {
        server.command("CONFIG", "SET", "maxmemory-policy", policy);
        server.command("CONFIG", "SET", "maxmemory", "1");
    }

    private void empty() {
        server.command("CONFIG", "SET", "maxmemory", "0");
    }
}
