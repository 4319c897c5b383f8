package io.distributedlock.internal.client;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class AsyncExecutionTest {

    private static final LockRequest ORDER = LockRequest.of("orders", "42");

    private final Bench bench = new Bench();
    private final LockTemplate template = new LockTemplate(bench.client);
    private final CompletableFuture<String> work = new CompletableFuture<>();
    private final AtomicReference<LockHandle> lock = new AtomicReference<>();

    private CompletableFuture<String> execute() {
        return template.executeAsync(ORDER, held -> {
            lock.set(held);
            return work;
        });
    }

    private CompletableFuture<String> running() {
        CompletableFuture<String> call = execute();
        bench.acquire().grants(7);
        assertThat(lock.get().isHeld()).isTrue();
        return call;
    }

    @Test
    void workStartsOnlyAfterTheGrant() {
        execute();
        assertThat(lock.get()).isNull();
        bench.acquire().grants(7);
        assertThat(lock.get().isHeld()).isTrue();
    }

    @Test
    void theResultIsPassedOnAfterTheRelease() {
        CompletableFuture<String> call = running();
        work.complete("done");
        assertThat(lock.get().isHeld()).isFalse();
        assertThat(call).isNotDone();

        bench.release().frees();
        assertThat(now(call)).isEqualTo("done");
    }

    @Test
    void aFailureOfTheWorkReachesTheCallerAfterTheRelease() {
        CompletableFuture<String> call = running();
        work.completeExceptionally(new IllegalStateException("sold out"));
        assertThat(call).isNotDone();

        bench.release().frees();
        assertThat(failure(IllegalStateException.class, call)).hasMessage("sold out");
    }

    @Test
    void workThatThrowsReleasesTheLock() {
        CompletableFuture<String> call = template.executeAsync(ORDER, held -> {
            throw new IllegalStateException("sold out");
        });
        bench.acquire().grants(7);
        bench.release().frees();
        assertThat(failure(IllegalStateException.class, call)).hasMessage("sold out");
    }

    @Test
    void aRefusalFailsTheCallWithoutStartingTheWork() {
        CompletableFuture<String> call = template.executeAsync(
                ORDER.withWaitTime(Duration.ZERO),
                held -> CompletableFuture.failedFuture(new AssertionError("the work must not start")));
        bench.acquire().refuses(Duration.ofSeconds(20));
        failure(LockNotAcquiredException.class, call);
    }

    @Test
    void aLockThatIsLostWhileTheWorkRunsFailsTheCall() {
        CompletableFuture<String> call = running();
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        bench.advance(Bench.TTL);
        work.complete("done");
        assertThat(failure(LockLostException.class, call)).hasMessageContaining("orders");
    }

    @Test
    void theWorksFailureIsNotHiddenByALoss() {
        CompletableFuture<String> call = running();
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        bench.advance(Bench.TTL);
        work.completeExceptionally(new IllegalStateException("sold out"));
        assertThat(failure(IllegalStateException.class, call).getSuppressed())
                .hasOnlyElementsOfType(LockLostException.class)
                .hasSize(1);
    }

    @Test
    void cancellingAWaitingCallWithdrawsTheClaim() {
        CompletableFuture<String> call = execute();
        call.cancel(false);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
        assertThat(lock.get()).isNull();
    }

    @Test
    void theLockIsHeldUntilTheWorkHasEndedAlthoughItsCallerGaveUp() {
        CompletableFuture<String> call = running();
        call.cancel(true);
        assertThat(work).isNotDone();
        assertThat(lock.get().isHeld()).isTrue();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
        work.complete("too late");
        assertThat(lock.get().isHeld()).isFalse();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void theLockIsHeldUntilTheWorkHasEndedAlthoughTheTimeOfItsCallerIsOver() {
        CompletableFuture<String> call = running();
        call.completeExceptionally(new TimeoutException());
        assertThat(work).isNotDone();
        assertThat(lock.get().isHeld()).isTrue();
        work.completeExceptionally(new IllegalStateException("too late"));
        assertThat(lock.get().isHeld()).isFalse();
    }

    @Test
    void ifThatIsWantedTheWorkIsCancelledWithTheFutureOfItsCaller() {
        CompletableFuture<String> call = template.executeAsync(ORDER.withCancelWork(), held -> {
            lock.set(held);
            return work;
        });
        bench.acquire().grants(7);
        call.cancel(false);
        assertThat(work).isCancelled();
        assertThat(lock.get().isHeld()).isFalse();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void workThatReturnsNoStageFailsTheCall() {
        CompletableFuture<String> call = template.executeAsync(ORDER, held -> null);
        bench.acquire().grants(7);
        bench.release().frees();
        failure(NullPointerException.class, call);
    }

    @Test
    void aClosedClientFailsTheCall() {
        bench.client.close();
        assertThat(failure(LockUnavailableException.class, execute()).outcome())
                .isEqualTo(LockUnavailableException.Outcome.CLOSED);
    }
}
