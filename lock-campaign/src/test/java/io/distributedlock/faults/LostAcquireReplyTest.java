package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.testkit.relay.Cut;
import io.distributedlock.testkit.relay.Direction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The founding incident and its relatives: Redis did what it was asked, or will do, and no caller heard of it. */
class LostAcquireReplyTest extends FaultTest {

    private static final Duration PATIENT = Duration.ofSeconds(2);

    @Test
    void f1AnAcquireWhoseReplyIsLostIsTakenBackEvenBeforeTheConnectionHeals() {
        relay.holdWhen(Direction.REPLIES, FaultTest::isAcquire);
        assertThat(outcomeOfAcquire()).isEqualTo(Outcome.UNKNOWN);
        awaitGone();
        relay.cut(Cut.RST);
        relay.deliver(Direction.REPLIES);
        awaitClean();
    }

    @Test
    void f1AnAcquireWhoseReplyIsLostIsTakenBackAsSoonAsRedisCanBeReachedAgain() {
        relay.holdWhen(Direction.REPLIES, FaultTest::isAcquire).thenRun(() -> relay.hold(Direction.REQUESTS));
        assertThat(outcomeOfAcquire()).isEqualTo(Outcome.UNKNOWN);
        assertThat(isInRedis()).isTrue();
        relay.cut(Cut.RST);
        relay.deliver(Direction.REPLIES);
        relay.deliver(Direction.REQUESTS);
        awaitGone();
        awaitClean();
    }

    private Outcome outcomeOfAcquire() {
        return catchThrowableOfType(
                        LockUnavailableException.class,
                        () -> client.acquire(once("42").withTtl(TWO_HOURS)))
                .outcome();
    }

    @Test
    void f2AConnectionThatIsClosedBeforeTheReplyIsNeverTakenForAnotherOwnersLock() {
        relay.holdWhen(Direction.REPLIES, FaultTest::isAcquire)
                .thenRun(() -> CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS)
                        .execute(() -> {
                            relay.cut(Cut.FIN);
                            relay.deliver(Direction.REPLIES);
                        }));
        Throwable told = catchThrowable(
                () -> client.acquire(once("42").withTtl(TWO_HOURS)).release());
        assertThat(told == null || told instanceof LockUnavailableException)
                .as("a lock, or no definite answer where the machine is too busy: " + told)
                .isTrue();
        awaitGone();
        awaitClean();
    }

    @Test
    void f3ARequestThatNeverArrivedIsTriedAgain() {
        var held = relay.holdWhen(Direction.REQUESTS, FaultTest::isAcquire);
        held.thenRun(() -> CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS)
                .execute(() -> {
                    relay.cut(Cut.RST);
                    relay.deliver(Direction.REQUESTS);
                }));
        try (LockHandle lock = take("42")) {
            assertThat(lock.isHeld()).isTrue();
        }
        awaitGone();
        awaitClean();
    }

    @Test
    void f4ARequestThatArrivesAfterTheCallerGaveUpIsTakenBack() {
        relay.holdWhen(Direction.REQUESTS, FaultTest::isAcquire);
        LockUnavailableException told = catchThrowableOfType(
                LockUnavailableException.class, () -> client.acquire(once("42").withTtl(TWO_HOURS)));
        assertThat(told.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(isInRedis()).isFalse();
        relay.deliver(Direction.REQUESTS);
        awaitClean();
        assertThat(isInRedis()).isFalse();
    }

    @Test
    void f5AReplyThatComesLateIsUsedWhileTheCallerStillWaits() {
        LockClient patient = client(relay.uri(), Duration.ofSeconds(10), PATIENT);
        take(patient, LockRequest.of("warm-up")).release();
        relay.holdWhen(Direction.REPLIES, FaultTest::isAcquire)
                .thenRun(() -> CompletableFuture.delayedExecutor(PATIENT.toMillis() + 200, TimeUnit.MILLISECONDS)
                        .execute(() -> relay.deliver(Direction.REPLIES)));
        LockHandle lock = patient.acquire("42");
        assertThat(lock.isHeld()).isTrue();
        lock.release();
        awaitGone();
        awaitClean();
    }
}
