package io.distributedlock.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.Bench;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A machine that was suspended: its monotonic clock stood still, the leases on the store did not. */
class SuspendDetectorTest {

    private static final Duration SAFE = Duration.ofMillis(29_398);
    private static final Duration SHORT = Duration.ofSeconds(5);
    /** Later than the question may take, and earlier than the next one. */
    private static final Duration LATE = Duration.ofMillis(900);

    private final Bench bench = new Bench();

    @Test
    void aLockThatMayHaveRunOutIsNotHeldAtTheFirstQuestionUntilItIsConfirmed() {
        LockHandle lock = bench.held();
        bench.time.suspend(SAFE);
        assertThat(lock.isHeld()).isFalse();
        assertThat(lock.state()).isEqualTo(LockState.AT_RISK);
        assertThat(lock.remaining()).isZero();
        assertThatThrownBy(lock::requireHeld)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("while this machine was suspended");
        bench.time.runDue();
        bench.extend().confirms();
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        assertThat(lock.remaining()).isEqualTo(SAFE);
    }

    @Test
    void aLockThatHasRunOutIsLostAsSoonAsTheStoreSaysSo() {
        LockHandle lock = bench.held();
        bench.time.suspend(Duration.ofHours(8));
        assertThat(lock.isHeld()).isFalse();
        bench.time.runDue();
        bench.extend().denies();
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
    }

    @Test
    void aLockThatIsLeftForLongerThanThatStaysHeldButAtRisk() {
        LockHandle lock = bench.held();
        bench.time.suspend(SHORT);
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.state()).isEqualTo(LockState.AT_RISK);
        assertThat(lock.remaining()).isEqualTo(SAFE.minus(SHORT));
        bench.time.runDue();
        bench.extend().confirms();
        assertThat(lock.state()).isEqualTo(LockState.HELD);
    }

    @Test
    void theTimeOfASuspensionDoesNotComeBackToAnExplicitTtlWithAConfirmation() {
        LockHandle lock = bench.held(LockRequest.of("42").withTtl(SHORT));
        bench.time.suspend(Duration.ofSeconds(4));
        assertThat(lock.isHeld()).isTrue();
        bench.time.runDue();
        bench.extend().confirms(Duration.ofSeconds(1));
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        assertThat(lock.remaining()).isPositive().isLessThan(Duration.ofSeconds(1));
        bench.advance(Duration.ofSeconds(1));
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
    }

    /** Returns a lock of a machine that was suspended, when the question for it has been sent this often, in vain. */
    private LockHandle suspendedAndAskedFor(int questions) {
        LockHandle lock = bench.held(LockRequest.of("42").withTtl(SHORT));
        bench.time.suspend(Duration.ofSeconds(3));
        assertThat(lock.isHeld()).isTrue();
        askedFor(questions);
        return lock;
    }

    private void askedFor(int questions) {
        while (bench.store.calls(Verb.EXTEND).size() < questions) {
            bench.time.advanceToNextTimer();
        }
    }

    private void assertLostAtItsEnd(LockHandle lock) {
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
        int questions = bench.store.calls(Verb.EXTEND).size();
        bench.advance(lock.remaining());
        assertThat(bench.store.calls(Verb.EXTEND)).hasSize(questions);
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
    }

    @Test
    void aLateAnswerThatTheLeaseIsOverSignalsItsLossAtOnce() {
        LockHandle lock = suspendedAndAskedFor(1);
        bench.advance(LATE);
        bench.extend().confirms(LATE);
        assertThat(bench.store.calls(Verb.EXTEND)).hasSize(1);
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
    }

    @Test
    void aLateAnswerThatTheLeaseEndsSoonHasItsLossSignalledByThen() {
        LockHandle lock = suspendedAndAskedFor(1);
        bench.advance(LATE);
        bench.extend().confirms(LATE.plusMillis(200));
        assertLostAtItsEnd(lock);
    }

    @Test
    void soDoesAnAnswerThatComesAfterTheNextQuestionWasSent() {
        LockHandle lock = suspendedAndAskedFor(2);
        bench.store.calls(Verb.EXTEND).get(0).confirms(Duration.ofMillis(1_500));
        assertLostAtItsEnd(lock);
    }

    @Test
    void soDoesAnAnswerToItsHolderWhileTheNextQuestionIsOnItsWay() {
        LockHandle lock = suspendedAndAskedFor(2);
        CompletableFuture<Boolean> extended = lock.extendAsync(Duration.ofMillis(100));
        bench.extend().confirms(Duration.ofMillis(700));
        assertThat(extended).isCompletedWithValue(true);
        assertLostAtItsEnd(lock);
    }

    @Test
    void anOlderAnswerThatIsOverTakesNothingFromANewerOneWithoutASuspension() {
        LockHandle lock = bench.held();
        askedFor(2);
        List<ScriptedCall> asked = bench.store.calls(Verb.EXTEND);
        bench.time.pause(asked.get(1).sentAt().plusMillis(29_000).minus(bench.time.elapsed()));
        asked.forEach(ScriptedCall::confirms);
        bench.time.runDue();
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void anExtensionThatIsShorterThanWhatIsLeftGivesNoLostTimeBackEither() {
        LockHandle lock = bench.held(LockRequest.of("42").withTtl(SHORT));
        bench.time.suspend(Duration.ofSeconds(3));
        assertThat(lock.isHeld()).isTrue();
        CompletableFuture<Boolean> extended = lock.extendAsync(Duration.ofMillis(500));
        bench.extend().confirms(Duration.ofSeconds(2));
        assertThat(extended).isCompletedWithValue(true);
        assertThat(lock.remaining()).isPositive().isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void aLockThatTheStoreStillKeepsAfterAWallClockWasSetForwardHasWhatIsLeft() {
        LockHandle lock = bench.held(LockRequest.of("42").withTtl(SHORT));
        bench.advance(Duration.ofSeconds(1));
        bench.time.suspend(Duration.ofHours(1));
        assertThat(lock.isHeld()).isFalse();
        bench.time.runDue();
        bench.extend().confirms(Duration.ofSeconds(4));
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.remaining()).isGreaterThan(Duration.ofSeconds(3));
    }

    @Test
    void theWatchdogNoticesItToo() {
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        LockHandle renewed = bench.held();
        LockHandle explicit = bench.held(LockRequest.of("other").withTtl(SHORT));
        bench.time.suspend(SHORT);
        bench.time.pause(Duration.ofSeconds(4));
        bench.time.runDue();
        assertThat(bench.store.calls(Verb.EXTEND)).isEmpty();
        bench.advance(Duration.ofSeconds(1));
        assertThat(explicit.isHeld()).isFalse();
        bench.time.runDue();
        assertThat(bench.store.calls(Verb.EXTEND)).hasSize(1);
        assertThat(renewed.state()).isEqualTo(LockState.HELD);
        assertThat(renewed.remaining()).isGreaterThan(SAFE.minusSeconds(1));
    }

    @Test
    void aCallerThatWaitsForItInThisProcessGetsALockThatHasRunOut() {
        LockHandle lock = bench.held(LockRequest.of("42").withTtl(Duration.ofHours(2)));
        bench.time.suspend(Duration.ofHours(3));
        CompletableFuture<LockHandle> next =
                bench.client.acquireAsync(LockRequest.of("42").withWaitTime(SHORT));
        bench.time.runDue();
        bench.extend().denies();
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
        bench.store.calls(Verb.ACQUIRE).get(1).grants(8);
        assertThat(Bench.now(next).isHeld()).isTrue();
    }

    @Test
    void aCallerThatDoesNotWaitIsRefusedOnceAndTheNextOneGetsALockThatHasRunOut() {
        bench.held(LockRequest.of("42").withTtl(Duration.ofHours(2)));
        bench.time.suspend(Duration.ofHours(3));
        LockRequest atOnce = LockRequest.of("42").withWaitTime(Duration.ZERO);
        assertThat(bench.client.acquireAsync(atOnce)).isCompletedExceptionally();
        bench.time.runDue();
        bench.extend().denies();
        CompletableFuture<LockHandle> next = bench.client.acquireAsync(atOnce);
        bench.store.calls(Verb.ACQUIRE).get(1).grants(8);
        assertThat(Bench.now(next).isHeld()).isTrue();
    }

    @Test
    void aConfirmationThatWasAskedForBeforeIsNoConfirmation() {
        LockHandle lock = bench.held();
        bench.advance(Duration.ofSeconds(10));
        ScriptedCall before = bench.extend();
        bench.time.suspend(SAFE);
        assertThat(lock.isHeld()).isFalse();
        before.confirms();
        assertThat(lock.isHeld()).isFalse();
        bench.time.runDue();
        bench.extend().confirms();
        assertThat(lock.isHeld()).isTrue();
    }

    /** A lock for two hours, whose machine is suspended for three while a command about it is on its way. */
    private LockHandle inDoubtDespiteAnAnswerFromBefore() {
        LockHandle lock = bench.held(LockRequest.of("42").withTtl(Duration.ofHours(2)));
        askedFor(1);
        ScriptedCall before = bench.extend();
        bench.advance(Duration.ofNanos(1));
        bench.time.suspend(Duration.ofHours(3));
        assertThat(lock.isHeld()).isFalse();
        bench.time.runDue();
        ScriptedCall asked = bench.extend();
        before.confirms();
        asked.fails(Effect.REFUSED);
        bench.store.always(Verb.EXTEND, ScriptedCall::denies);
        return lock;
    }

    @Test
    void anAnswerFromBeforeEndsNoQuestions() {
        LockHandle lock = inDoubtDespiteAnAnswerFromBefore();
        bench.advance(Duration.ofSeconds(5));
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
    }

    @Test
    void anAnswerFromBeforeKeepsNoCallerOfThisProcessFromALockThatHasRunOut() {
        LockHandle lock = inDoubtDespiteAnAnswerFromBefore();
        bench.store.always(Verb.ACQUIRE, call -> call.grants(8));
        CompletableFuture<LockHandle> next =
                bench.client.acquireAsync(LockRequest.of("42").withWaitTime(Duration.ofMinutes(1)));
        assertThat(next).isNotDone();
        bench.advance(Duration.ofSeconds(5));
        assertThat(lock.lost().toCompletableFuture()).isDone();
        assertThat(next).isCompleted();
    }

    @Test
    void aGrantFromBeforeIsAskedForUntilTheStoreHasAnswered() {
        CompletableFuture<LockHandle> call =
                askAndSuspend(LockRequest.of("later").withTtl(SHORT), Duration.ofSeconds(3));
        bench.advance(Duration.ofNanos(1));
        bench.store.calls(Verb.ACQUIRE).get(1).grants(8);
        bench.extend().fails(Effect.REFUSED);
        bench.store.always(Verb.EXTEND, ScriptedCall::denies);
        bench.advance(Duration.ofSeconds(1));
        assertThat(Bench.now(call).lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
    }

    private CompletableFuture<LockHandle> askAndSuspend(LockRequest request, Duration... suspensions) {
        LockHandle other = bench.held();
        CompletableFuture<LockHandle> call = bench.client.acquireAsync(request);
        for (Duration each : suspensions) {
            bench.advance(Duration.ofNanos(1));
            bench.time.suspend(each);
            other.state();
        }
        return call;
    }

    @Test
    void aGrantThatMayHaveRunOutWhileItWasOnItsWayIsExtendedBeforeItIsHandedOut() {
        CompletableFuture<LockHandle> call = askAndSuspend(LockRequest.of("later"), SAFE);
        bench.store.calls(Verb.ACQUIRE).get(1).grants(8);
        assertThat(call).isNotDone();
        bench.extend().confirms();
        assertThat(Bench.now(call).state()).isEqualTo(LockState.HELD);
    }

    @Test
    void aGrantCountsEachSuspensionSinceItWasAskedFor() {
        CompletableFuture<LockHandle> call =
                askAndSuspend(LockRequest.of("later"), Duration.ofSeconds(60), Duration.ofSeconds(2));
        bench.store.calls(Verb.ACQUIRE).get(1).grants(8);
        assertThat(call).isNotDone();
        bench.extend().confirms();
        assertThat(Bench.now(call).isHeld()).isTrue();
    }

    @Test
    void manySuspensionsAreNoReasonToTrustWhatWasAskedForBetweenThem() {
        Duration[] suspensions = new Duration[50];
        Arrays.fill(suspensions, Duration.ofSeconds(2));
        CompletableFuture<LockHandle> call = askAndSuspend(LockRequest.of("later"), suspensions);
        bench.store.calls(Verb.ACQUIRE).get(1).grants(8);
        assertThat(call).isNotDone();
        bench.extend().confirms();
        assertThat(Bench.now(call).state()).isEqualTo(LockState.HELD);
    }

    @Test
    void aGrantOfWhichEnoughIsLeftIsHandedOutAndConfirmedAtOnce() {
        CompletableFuture<LockHandle> call = askAndSuspend(LockRequest.of("later"), SHORT);
        bench.store.calls(Verb.ACQUIRE).get(1).grants(8);
        assertThat(Bench.now(call).remaining()).isPositive().isLessThan(SAFE.minus(SHORT));
        assertThat(Bench.now(call).state()).isEqualTo(LockState.AT_RISK);
        bench.extend().confirms();
        assertThat(Bench.now(call).state()).isEqualTo(LockState.HELD);
    }

    @Test
    void aLockThatMayHaveBeenHandedOverBeforeTheSuspensionIsAskedForAgain() {
        LockHandle other = bench.held();
        LockRequest wanted = LockRequest.of("later").withTtl(Duration.ofSeconds(3));
        CompletableFuture<LockHandle> call = bench.client.acquireAsync(wanted);
        CompletableFuture<Optional<Granted>> news = bench.acquire().queues(Duration.ofSeconds(20));
        bench.advance(Duration.ofNanos(1));
        bench.time.suspend(Duration.ofSeconds(60));
        other.state();
        bench.advance(Duration.ofNanos(1));
        news.complete(Optional.of(new Granted(8, Duration.ofSeconds(3), true)));
        assertThat(call).isNotDone();
        bench.time.runDue();
        bench.store.calls(Verb.ACQUIRE).get(2).grantsAgain(9, Duration.ofSeconds(3));
        assertThat(Bench.now(call).state()).isEqualTo(LockState.HELD);
    }

    @Test
    void locksThatAreTakenAfterwardsAreNotInDoubt() {
        LockHandle before = bench.held();
        bench.time.suspend(Duration.ofDays(3));
        assertThat(before.isHeld()).isFalse();
        bench.advance(Duration.ofNanos(1));
        bench.store.calls(Verb.EXTEND).forEach(ScriptedCall::denies);
        LockHandle after = bench.held(LockRequest.of("after"));
        assertThat(after.state()).isEqualTo(LockState.HELD);
    }

    @Test
    void aWallClockThatDriftsOrGoesBackMeansNothing() {
        LockHandle lock = bench.held();
        for (int i = 0; i < 50; i++) {
            bench.time.suspend(Duration.ofMillis(900));
            assertThat(lock.state()).isEqualTo(LockState.HELD);
        }
        bench.time.suspend(Duration.ofHours(-5));
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        bench.time.suspend(Duration.ofMillis(900));
        assertThat(lock.state()).isEqualTo(LockState.HELD);
        assertThat(bench.store.calls(Verb.EXTEND)).isEmpty();
    }
}
