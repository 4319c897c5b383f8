package io.distributedlock.internal.acquire;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockState;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.client.DefaultLockClient;
import io.distributedlock.internal.time.FailingScheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A step of the client itself fails, as where no thread can be made any more: its caller fails, and the lock is free for others. */
class FailingStepTest {

    private static final LockRequest WANTED = LockRequest.of("42");

    private final Bench bench = new Bench();
    private final FailingScheduler time = new FailingScheduler(bench.time);
    private final DefaultLockClient client =
            bench.settings().timeline(time).barging(false).build();

    @BeforeEach
    void theStoreFreesWhatItHas() {
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
    }

    @AfterEach
    void theLockCanBeTakenAndNothingIsLeft() {
        bench.store.always(Verb.ACQUIRE, call -> call.grants(9));
        now(client.acquireAsync(WANTED.withWaitTime(Duration.ZERO))).release();
        bench.advance(Duration.ofMinutes(1));
        assertThat(client.held()).isEmpty();
        assertThat(client.unresolved()).isZero();
        assertThat(client.waiting()).isZero();
        assertThat(bench.time.timers()).isZero();
    }

    private void assertFailed(CompletableFuture<LockHandle> call) {
        LockUnavailableException failed = failure(LockUnavailableException.class, call);
        assertThat(failed.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(failed).hasMessageContaining("unable to create native thread");
    }

    @Test
    void aGrantThatCannotBeHandedOutIsGivenBack() {
        CompletableFuture<LockHandle> call = client.acquireAsync(WANTED);
        time.failNext();
        bench.acquire().grants(7);
        assertFailed(call);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void aRenewalThatCannotBePlannedStopsNoLaterRenewal() {
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        CompletableFuture<LockHandle> call = client.acquireAsync(WANTED);
        bench.acquire().grants(7);
        time.failNext();
        bench.advance(Duration.ofMinutes(10));
        LockHandle lock = now(call);
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        lock.release();
    }

    @Test
    void whatMayHaveBeenSentIsTakenBack() {
        time.failNext();
        assertFailed(client.acquireAsync(WANTED));
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void aWaiterWhoseTimeCannotBeLimitedDoesNotWait() {
        CompletableFuture<LockHandle> first = client.acquireAsync(WANTED);
        bench.acquire().grants(7);
        time.failNext();
        assertFailed(client.acquireAsync(WANTED));
        now(first).release();
    }

    @Test
    void aRefusalThatCannotBeFollowedEndsTheCall() {
        CompletableFuture<LockHandle> call = client.acquireAsync(WANTED);
        time.failNext();
        bench.acquire().queues(Duration.ofSeconds(20));
        assertFailed(call);
    }

    @Test
    void aTurnThatCannotBeginPassesTheLockOn() {
        CompletableFuture<LockHandle> first = client.acquireAsync(WANTED);
        bench.acquire().grants(7);
        CompletableFuture<LockHandle> second = client.acquireAsync(WANTED.withMaxHold(Duration.ofMinutes(1)));
        CompletableFuture<LockHandle> third = client.acquireAsync(WANTED);
        time.failNext();
        now(first).release();
        assertFailed(second);
        now(third).release();
    }

    @Test
    void aCallWhoseTimersNeverRunEndsAtTheLastResort() {
        CompletableFuture<LockHandle> first = client.acquireAsync(WANTED);
        time.loseNext();
        CompletableFuture<LockHandle> second = client.acquireAsync(WANTED.withWaitTime(Duration.ofSeconds(1)));
        bench.acquire().grants(7);
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(Duration.ofSeconds(1 + 3 + 2).plus(PendingCalls.PERIOD));
        assertThat(failure(LockUnavailableException.class, second)).hasMessageContaining("within its limits");
        now(first).release();
    }

    @Test
    void aTryWhoseAnswerAndTimerAreLostEndsAtTheLastResort() {
        time.loseNext();
        CompletableFuture<LockHandle> call = client.acquireAsync(WANTED.withWaitTime(Duration.ofSeconds(1)));
        CompletableFuture<LockHandle> behind = client.acquireAsync(WANTED.withWaitTime(Duration.ofMinutes(1)));
        bench.advance(Duration.ofSeconds(1 + 3 + 2).plus(PendingCalls.PERIOD));
        assertThat(failure(LockUnavailableException.class, call)).hasMessageContaining("within its limits");
        bench.acquire().grants(8);
        now(behind).release();
    }

    @Test
    void aRoundOfRenewalsThatCannotBeginLosesNoneOfItsLocks() {
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        CompletableFuture<LockHandle> first = client.acquireAsync(WANTED);
        bench.acquire().grants(7);
        CompletableFuture<LockHandle> second =
                client.acquireAsync(LockRequest.of("43").withTtl(Duration.ofHours(1)));
        bench.acquire().grants(8);
        bench.store.isReachableAgain();
        bench.store.whenAskedToPrepare(() -> {
            bench.store.whenAskedToPrepare(() -> {});
            time.failNext();
        });
        bench.advance(Duration.ofMinutes(10));
        assertThat(now(first).state()).isEqualTo(LockState.HELD);
        assertThat(now(second).state()).isEqualTo(LockState.HELD);
        now(first).release();
        now(second).release();
    }
}
