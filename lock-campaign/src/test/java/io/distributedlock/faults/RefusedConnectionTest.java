package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.testkit.relay.Cut;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** No caller listens where Redis should be. */
class RefusedConnectionTest extends FaultTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final int ROUNDS = 5;

    @Test
    void f16ACallToADeadServerFailsDefinitelyAndDoesNotSitOutItsWaitTime() {
        server.kill();
        CompletableFuture<LockHandle> unconnected =
                client(server.uri()).acquireAsync(LockRequest.of("42").withWaitTime(LONG));
        assertUnavailable(unconnected);
        awaitUnavailable();
        assertUnavailable(client.acquireAsync(LockRequest.of("43").withWaitTime(LONG)));
        server.restart();
        awaitClean();
        take("42").release();
    }

    @Test
    void f16AnUnreachableServerIsNeverTakenForAnotherOwnersLock() {
        relay.refuse(true);
        relay.cut(Cut.RST);
        awaitUnavailable();
        assertUnavailable(client.acquireAsync(LockRequest.of("42").withWaitTime(LONG)));
        relay.refuse(false);
        take("42").release();
        awaitClean();
    }

    /** Whose try is on its way when the server dies is told that its outcome is unknown; so there are a few rounds. */
    @Test
    void f16WhoWaitsBehindAHolderGoesOnWaitingWhileTheServerIsAway() {
        Optional<LockHandle> lock = Optional.empty();
        for (int i = 0; i < ROUNDS && lock.isEmpty(); i++) {
            lock = waitWhileTheServerIsAway();
        }
        assertThat(lock).isPresent();
        lock.get().release();
        awaitGone();
        awaitClean();
    }

    private Optional<LockHandle> waitWhileTheServerIsAway() {
        take(client(server.uri()), LockRequest.of("42").withTtl(TWO_HOURS));
        long before = calls("evalsha");
        CompletableFuture<LockHandle> waiter =
                client.acquireAsync(LockRequest.of("42").withWaitTime(LONG));
        await().until(() -> calls("evalsha") > before + 5);
        server.kill();
        awaitUnavailable();
        server.restart();
        return waiter.<Optional<LockHandle>>handle((lock, failure) -> {
                    if (failure != null) {
                        assertOutcome(failure, Outcome.UNKNOWN);
                    }
                    return Optional.ofNullable(lock);
                })
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }

    /** A command that was on its way may end as unknown; never as refused, and soon not at all. */
    private void awaitUnavailable() {
        await().until(() -> catchThrowableOfType(LockException.class, () -> client.acquire(once("another")))
                        instanceof LockUnavailableException told
                && told.outcome() == Outcome.UNAVAILABLE);
    }

    private static void assertUnavailable(CompletableFuture<LockHandle> call) {
        Throwable told = call.handle((lock, failure) -> failure)
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
        assertOutcome(told, Outcome.UNAVAILABLE);
    }

    private static void assertOutcome(Throwable told, Outcome outcome) {
        assertThat(told)
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        failure -> assertThat(failure.outcome()).isEqualTo(outcome));
    }
}
