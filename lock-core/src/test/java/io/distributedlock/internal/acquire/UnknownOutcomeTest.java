package io.distributedlock.internal.acquire;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Ways to a lock in which the effect of a try is unknown: no caller may take it for a refusal, and nothing may stay behind. */
class UnknownOutcomeTest {

    private static final Duration LEASE_ENDS = Duration.ofSeconds(20);
    private static final LockRequest WANTED = LockRequest.of("42");

    private final Bench bench = new Bench();
    private final CompletableFuture<LockHandle> lock = bench.client.acquireAsync(WANTED);
    private final ScriptedCall first = bench.acquire();

    private ScriptedCall firstConfirmation() {
        bench.advance(Bench.COMMAND_TIMEOUT.plus(Bench.MAX_PAUSE));
        return bench.acquire();
    }

    @Test
    void aTryWithoutAReplyIsConfirmedByTheSameOwner() {
        ScriptedCall second = firstConfirmation();
        assertThat(second.claim()).isEqualTo(first.claim());
        assertThat(second.sentAt()).isBetween(Duration.ofMillis(1_020), Duration.ofMillis(1_050));
    }

    @Test
    void aConfirmedGrantCountsFromTheConfirmationAndWhatTheStoreStillPromises() {
        ScriptedCall second = firstConfirmation();
        second.grantsAgain(7, Duration.ofSeconds(29));
        Duration sinceSent = bench.time.elapsed().minus(second.sentAt());
        assertThat(now(lock).remaining())
                .isEqualTo(Duration.ofMillis(29_000 - 292 - 290).minus(sinceSent));
    }

    /** The first try may still be executed, and would take the lock for nobody. */
    @Test
    void aLockThatTheStoreDeniesAfterATryWithoutAReplyIsTakenBackAllTheSame() {
        firstConfirmation().grants(7);
        bench.store.isReachableAgain();
        bench.time.runDue();
        bench.extend().denies();
        assertThat(now(lock).lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
        assertThat(bench.client.unresolved()).isEqualTo(1);
        bench.release().freesNothing();
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void afterARefusedConfirmationTheWayGoesOnAsWaiting() {
        firstConfirmation().refuses(LEASE_ENDS);
        bench.advance(Bench.POLL);
        bench.acquire().grants(8);
        assertThat(lock).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    void aRefusalAtTheEndIsReportedAsSuchAndTheUnresolvedTryIsTakenBack() {
        firstConfirmation().refuses(LEASE_ENDS);
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(LEASE_ENDS));
        bench.advance(Bench.WAIT_TIME);
        assertThat(failure(LockNotAcquiredException.class, lock).lockName()).isEqualTo("42");
        assertIsTakenBack();
    }

    @Test
    void withoutAnyReplyItIsUnknownAfterTwoCommandTimeoutsAndTakenBack() {
        bench.advance(Bench.COMMAND_TIMEOUT.multipliedBy(2).minusNanos(1));
        assertThat(lock).isNotDone();
        bench.advance(Duration.ofNanos(1));
        LockUnavailableException unknown = failure(LockUnavailableException.class, lock);
        assertThat(unknown.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(unknown)
                .hasMessageContaining("'42'")
                .hasMessageContaining("in 2000 ms")
                .hasMessageContaining("clean-up is scheduled")
                .hasMessageContaining("after 30000 ms");
        assertIsTakenBack();
    }

    @Test
    void aTryThatFailsQuicklyIsConfirmedTwiceAtMost() {
        bench.store.always(Verb.ACQUIRE, call -> call.fails(Effect.UNKNOWN));
        first.fails(Effect.UNKNOWN);
        bench.advance(Bench.MAX_PAUSE.multipliedBy(2));
        assertThat(failure(LockUnavailableException.class, lock).outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(bench.store.calls(Verb.ACQUIRE)).hasSize(3);
        assertIsTakenBack();
    }

    @Test
    void anUnexpectedExceptionCountsAsAnUnknownEffect() {
        first.fails(new IllegalStateException("driver bug"));
        bench.advance(Bench.MAX_PAUSE);
        bench.store.always(Verb.ACQUIRE, call -> {
            throw new IllegalStateException("thrown instead of returned");
        });
        bench.acquire().fails(new IllegalStateException("driver bug"));
        bench.advance(Bench.MAX_PAUSE);
        LockUnavailableException unknown = failure(LockUnavailableException.class, lock);
        assertThat(unknown.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(unknown).hasMessageContaining("thrown instead of returned");
        assertIsTakenBack();
    }

    @Test
    void aRefusalByTheStoreAfterAnUnknownTryLeavesTheOutcomeUnknown() {
        first.fails(Effect.UNKNOWN);
        bench.store.always(Verb.ACQUIRE, call -> call.fails(Effect.REFUSED));
        bench.advance(Bench.COMMAND_TIMEOUT.multipliedBy(2));
        assertThat(failure(LockUnavailableException.class, lock).outcome()).isEqualTo(Outcome.UNKNOWN);
        assertIsTakenBack();
    }

    @Test
    void aConfirmationThatIsNotSentIsRepeatedUntilTwoCommandTimeoutsAfterTheTry() {
        first.fails(Effect.UNKNOWN);
        bench.store.always(Verb.ACQUIRE, call -> call.fails(Effect.NOT_SENT));
        bench.advanceMillis(1_900);
        bench.store.never(Verb.ACQUIRE);
        bench.advance(Bench.MAX_PAUSE);
        assertThat(bench.store.calls(Verb.ACQUIRE)).hasSizeGreaterThan(30);
        bench.acquire().grantsAgain(7, Duration.ofSeconds(29));
        assertThat(lock).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    void withAWaitTimeOfZeroAnUnknownTryIsConfirmedAllTheSame() {
        CompletableFuture<LockHandle> once =
                bench.client.acquireAsync(LockRequest.of("43").withWaitTime(Duration.ZERO));
        bench.acquire().fails(Effect.UNKNOWN);
        bench.advance(Bench.MAX_PAUSE);
        bench.acquire().refuses(LEASE_ENDS);
        assertThat(failure(LockNotAcquiredException.class, once)).hasMessageContaining("'43'");
        assertThat(bench.store.calls(Verb.ACQUIRE))
                .as("those for lock 42 and 43")
                .hasSize(3);
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(1);
    }

    @RepeatedTest(20)
    void noCallTakesLongerThanItsWaitTimeAndTwoCommandTimeouts() {
        assertEndsInTime(call -> {});
        assertEndsInTime(call -> refuseUntilTheEnd(call, () -> call.refuses(LEASE_ENDS)));
        assertEndsInTime(call -> refuseUntilTheEnd(call, () -> call.fails(Effect.REFUSED)));
        assertEndsInTime(call -> refuseUntilTheEnd(call, () -> call.fails(Effect.UNKNOWN)));
        assertEndsInTime(call -> refuseUntilTheEnd(call, () -> call.grantsAgain(7, Duration.ofSeconds(1))));
    }

    /** Answers once definitely, then like this while the wait time lasts, then no more. */
    private static void refuseUntilTheEnd(ScriptedCall call, Runnable answer) {
        if (call.sentAt().isZero()) {
            call.refuses(LEASE_ENDS);
        } else if (call.sentAt().compareTo(Bench.WAIT_TIME) < 0) {
            answer.run();
        }
    }

    private static void assertEndsInTime(Consumer<ScriptedCall> answer) {
        Bench other = new Bench();
        other.store.always(Verb.ACQUIRE, answer);
        CompletableFuture<LockHandle> call = other.client.acquireAsync(WANTED);
        other.advance(Bench.WAIT_TIME.plus(Bench.COMMAND_TIMEOUT.multipliedBy(2)));
        assertThat(call).as("after %s", other.store.calls()).isDone();
    }

    private void assertIsTakenBack() {
        assertThat(bench.client.unresolved()).isEqualTo(1);
        assertThat(bench.release().claim()).isEqualTo(first.claim());
        bench.release().frees();
        int releases = bench.store.calls(Verb.RELEASE).size();
        assertThat(bench.client.unresolved()).isZero();
        bench.advance(Duration.ofMinutes(5));
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(releases);
        assertThat(bench.time.timers()).isZero();
    }
}
