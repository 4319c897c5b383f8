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
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Replies to tries that no caller waited for any more: a grant is used if there is still use for it, and taken back if
 * not.
 */
class LateReplyTest {

    private static final Duration LEASE_ENDS = Duration.ofSeconds(20);
    private static final Release UNSETTLED = Release.of(true, false);

    private final Bench bench = new Bench();
    private final CompletableFuture<LockHandle> lock = bench.client.acquireAsync(LockRequest.of("42"));
    private final ScriptedCall first = bench.acquire();

    private void timeOut() {
        bench.advance(Bench.COMMAND_TIMEOUT);
    }

    private void untilConfirmed() {
        timeOut();
        bench.advance(Bench.MAX_PAUSE);
    }

    private void giveUp() {
        bench.advance(Bench.COMMAND_TIMEOUT.multipliedBy(2));
        assertThat(failure(LockUnavailableException.class, lock).outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void aLateGrantBeforeTheConfirmationIsUsedAndSavesIt() {
        timeOut();
        first.grants(7);
        assertThat(now(lock).remaining()).isEqualTo(Duration.ofMillis(29_398 - 1_000));
        bench.advance(Bench.MAX_PAUSE.multipliedBy(2));
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
    }

    @Test
    void aLateGrantDuringTheConfirmationIsUsed() {
        untilConfirmed();
        first.grants(7);
        assertThat(lock).isCompletedWithValueMatching(LockHandle::isHeld);
        bench.acquire().grantsAgain(7, Duration.ofSeconds(28));
        assertThat(bench.client.held()).containsExactly(now(lock));
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.ACQUIRE);
    }

    @Test
    void aLateGrantWhileWaitingIsUsed() {
        untilConfirmed();
        bench.acquire().refuses(LEASE_ENDS);
        first.grants(7);
        assertThat(lock).isCompletedWithValueMatching(LockHandle::isHeld);
        bench.advance(Bench.POLL.multipliedBy(2));
        assertThat(bench.store.calls(Verb.ACQUIRE)).hasSize(2);
    }

    @Test
    void aLateRefusalSettlesItsTryButAnswersNothing() {
        untilConfirmed();
        first.refuses(LEASE_ENDS);
        assertThat(lock).isNotDone();
        bench.acquire().grants(8);
        now(lock).releaseAsync();
        bench.release().releases(UNSETTLED);
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aLockThatWasGrantedWhileAnotherTryIsUnresolvedIsCleanedUpUntilNothingCanFollow() {
        untilConfirmed();
        bench.acquire().grantsAgain(7, Duration.ofSeconds(28));
        CompletableFuture<Void> released = now(lock).releaseAsync();
        bench.release().releases(UNSETTLED);
        assertThat(released).isCompleted();
        assertThat(bench.client.unresolved()).isEqualTo(1);
        bench.release().releases(UNSETTLED);
        assertThat(bench.client.unresolved()).isEqualTo(1);
        bench.advance(Bench.COMMAND_TIMEOUT);
        bench.release().freesNothing();
        assertThat(bench.client.unresolved()).isZero();
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void aDoubtfulLockWhoseReleaseIsSettledNeedsNoFurtherLook() {
        untilConfirmed();
        bench.acquire().grantsAgain(7, Duration.ofSeconds(28));
        now(lock).releaseAsync();
        bench.release().frees();
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aLateGrantAfterTheEndIsTakenBackAtOnce() {
        giveUp();
        bench.release().freesNothing();
        assertThat(bench.client.unresolved()).isZero();
        first.grants(7);
        assertThat(bench.client.unresolved()).isEqualTo(1);
        bench.release().frees();
        assertThat(bench.client.unresolved()).isZero();
        assertThat(bench.client.held()).isEmpty();
    }

    @Test
    void aLateGrantAfterARefusedEndIsTakenBackAtOnce() {
        untilConfirmed();
        bench.store.always(Verb.RELEASE, ScriptedCall::freesNothing);
        bench.acquire().refuses(LEASE_ENDS);
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(LEASE_ENDS));
        bench.advance(Bench.WAIT_TIME);
        assertThat(failure(LockNotAcquiredException.class, lock)).isNotNull();
        bench.store.never(Verb.RELEASE);
        first.grants(7);
        bench.release().frees();
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aLateRefusalAfterTheEndNeedsNoFurtherRelease() {
        giveUp();
        bench.release().freesNothing();
        first.refuses(LEASE_ENDS);
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aLateFailureAfterTheEndHasTheClaimLookedAtOnceMore() {
        giveUp();
        bench.release().freesNothing();
        first.fails(Effect.UNKNOWN);
        bench.release().frees();
        assertThat(bench.client.unresolved()).isZero();
    }

    /**
     * The confirmation is in the middle of being sent when the late grant is used, and its lock released, by other
     * threads.
     */
    private ScriptedCall strayConfirmation() {
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        bench.store.always(Verb.ACQUIRE, call -> {
            first.grants(7);
            now(lock).release();
        });
        untilConfirmed();
        bench.store.never(Verb.ACQUIRE);
        bench.store.never(Verb.RELEASE);
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(1);
        return bench.store.calls(Verb.ACQUIRE).get(1);
    }

    @Test
    void aConfirmationThatTakesTheLockAfterItsReleaseIsTakenBack() {
        strayConfirmation().grants(8);
        bench.release().frees();
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aConfirmationOfUnknownOutcomeAfterTheReleaseIsTakenBack() {
        ScriptedCall stray = strayConfirmation();
        bench.advance(Bench.COMMAND_TIMEOUT);
        assertThat(stray.isAnswered()).isFalse();
        bench.release().frees();
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aConfirmationThatOnlyMeetsTheLockThatIsHeldLeavesItAlone() {
        bench.store.always(Verb.ACQUIRE, call -> first.grants(7));
        untilConfirmed();
        bench.store.calls(Verb.ACQUIRE).get(1).grantsAgain(7, Duration.ofSeconds(28));
        assertThat(now(lock).isHeld()).isTrue();
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
    }
}
