package io.distributedlock.internal.renewal;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a lock without an explicit ttl is kept, and what happens when that gets difficult. */
class RenewalTest {

    private static final Duration THIRD = Bench.TTL.dividedBy(3);
    private static final Duration EARLIEST = THIRD.multipliedBy(9).dividedBy(10);
    /** 30 s, less a hundredth and 2 ms for clock drift, less another hundredth to be told in time. */
    private static final Duration SAFE = Duration.ofMillis(29_398);

    private final Bench bench = new Bench();

    private List<ScriptedCall> renewals() {
        return bench.store.calls(Verb.EXTEND);
    }

    @Test
    void theFirstRenewalComesAThirdAfterTheAcquireWasSent() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(LockRequest.of("42"));
        bench.advanceMillis(900);
        bench.acquire().grants(7);
        bench.advance(THIRD);
        ScriptedCall renewal = renewals().get(0);
        assertThat(renewal.sentAt()).isBetween(EARLIEST, THIRD);
        assertThat(renewal.ttl()).isEqualTo(Bench.TTL);
        assertThat(renewal.token()).isEqualTo(7);
        assertThat(lock).isCompleted();
    }

    @Test
    void eachFurtherRenewalComesAThirdAfterTheLastOneWasSent() {
        LockHandle lock = bench.held();
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(Duration.ofHours(1));
        assertThat(lock.isHeld()).isTrue();
        assertThat(renewals()).hasSizeBetween(360, 400);
        for (int i = 1; i < renewals().size(); i++) {
            assertThat(renewals().get(i).sentAt().minus(renewals().get(i - 1).sentAt()))
                    .isBetween(EARLIEST, THIRD);
        }
    }

    @Test
    void aRenewalMovesTheEndByItsSendTimeNotByItsReply() {
        LockHandle lock = bench.held();
        bench.advanceToTheLookAtPendingCalls();
        bench.time.advanceToNextTimer();
        ScriptedCall renewal = bench.extend();
        bench.advanceMillis(900);
        renewal.confirms();
        assertThat(lock.remaining()).isEqualTo(SAFE.minusMillis(900));
    }

    @Test
    void aLockWithAnExplicitTtlIsNeverRenewed() {
        LockHandle lock = bench.held(LockRequest.of("42").withTtl(Duration.ofSeconds(4)));
        bench.advanceMillis(3_800);
        assertThat(lock.isHeld()).isTrue();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
    }

    @Test
    void aRenewalThatTheStoreRefusesIsRepeatedEverySecondAndMoreOftenTowardsTheEndOfTheLease() {
        LockHandle lock = bench.held();
        bench.store.always(Verb.EXTEND, call -> call.fails(Effect.REFUSED));
        bench.advance(SAFE.minusNanos(1));
        assertThat(lock.isHeld()).isTrue();
        assertThat(renewals()).hasSizeBetween(19, 32);
        bench.advance(Duration.ofNanos(1));
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
    }

    @Test
    void oneSuccessAmongManyFailuresKeepsTheLock() {
        LockHandle lock = bench.held();
        bench.store.always(Verb.EXTEND, call -> call.fails(Effect.NOT_SENT));
        bench.advance(SAFE.minusMillis(1_100));
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advanceMillis(1_100);
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.remaining()).isGreaterThan(SAFE.minusMillis(1_100));
    }

    @Test
    void aRenewalWithoutAReplyIsRepeatedAndDoesNotMoveTheEnd() {
        LockHandle lock = bench.held();
        bench.advance(SAFE.minusNanos(1));
        assertThat(renewals()).hasSizeBetween(9, 16);
        assertThat(lock.remaining()).isEqualTo(Duration.ofNanos(1));
        bench.advance(Duration.ofNanos(1));
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
    }

    @Test
    void aLateConfirmationMovesTheEndByItsOwnSendTime() {
        LockHandle lock = bench.held();
        bench.advance(Duration.ofSeconds(15));
        ScriptedCall first = renewals().get(0);
        first.confirms();
        assertThat(lock.remaining()).isEqualTo(SAFE.minus(bench.time.elapsed().minus(first.sentAt())));
    }

    @Test
    void anOlderConfirmationThatComesAfterANewerOneTakesNothingBack() {
        LockHandle lock = bench.held();
        bench.advance(Duration.ofSeconds(15));
        renewals().get(1).confirms();
        Duration remaining = lock.remaining();
        renewals().get(0).confirms();
        assertThat(lock.remaining()).isEqualTo(remaining);
    }

    @Test
    void aLossIsFinalWhateverIsConfirmedLater() {
        LockHandle lock = bench.held();
        bench.advance(SAFE);
        renewals().forEach(ScriptedCall::confirms);
        assertThat(lock.isHeld()).isFalse();
        assertThat(lock.remaining()).isZero();
        int sent = renewals().size();
        bench.advance(Duration.ofMinutes(1));
        assertThat(renewals()).hasSize(sent);
    }

    @Test
    void aRenewalThatIsDeniedEndsTheLockAtOnceAndNothingIsTakenBack() {
        LockHandle lock = bench.held();
        bench.advance(THIRD);
        bench.extend().denies();
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
        bench.advance(Duration.ofMinutes(1));
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.EXTEND);
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void aLateDenialEndsTheLockToo() {
        LockHandle lock = bench.held();
        bench.advance(Duration.ofSeconds(15));
        renewals().get(0).denies();
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
    }

    @Test
    void noRenewalFollowsARelease() {
        LockHandle lock = bench.held();
        lock.releaseAsync();
        bench.release().frees();
        bench.advance(Duration.ofMinutes(5));
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void noRenewalFollowsAReleaseThatGotNoAnswerEither() {
        LockHandle lock = bench.held();
        CompletableFuture<Void> released = lock.releaseAsync();
        bench.advance(Duration.ofMinutes(5));
        assertThat(released).isCompleted();
        assertThat(renewals()).isEmpty();
    }

    @Test
    void theAnswerToARenewalThatWasUnderWayAtTheReleaseIsIgnored() {
        LockHandle lock = bench.held();
        bench.advance(THIRD);
        ScriptedCall renewal = bench.extend();
        lock.releaseAsync();
        bench.release().frees();
        renewal.denies();
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
        bench.advance(Duration.ofMinutes(5));
        assertThat(renewals()).hasSize(1);
    }

    @Test
    void whenTheStoreIsReachableAgainEveryLockIsAskedForAtOnce() {
        LockHandle renewed = bench.held();
        LockHandle explicit = bench.held(LockRequest.of("short").withTtl(Duration.ofSeconds(4)));
        bench.advanceMillis(100);
        bench.store.isReachableAgain();
        bench.time.runDue();
        assertThat(renewals()).hasSize(2);
        ScriptedCall whole = renewals().stream().max(this::byTtl).orElseThrow();
        ScriptedCall question = renewals().stream().min(this::byTtl).orElseThrow();
        assertThat(whole.ttl()).isEqualTo(Bench.TTL);
        assertThat(question.ttl()).isLessThanOrEqualTo(Duration.ofMillis(1));
        question.denies();
        whole.confirms();
        assertThat(explicit.lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
        assertThat(renewed.remaining()).isEqualTo(SAFE);
    }

    private int byTtl(ScriptedCall a, ScriptedCall b) {
        return a.ttl().compareTo(b.ttl());
    }

    @Test
    void aLockWithAnExplicitTtlThatIsAskedForKeepsItsEnd() {
        LockHandle explicit = bench.held(LockRequest.of("short").withTtl(Duration.ofSeconds(4)));
        Duration end = explicit.remaining();
        bench.store.isReachableAgain();
        bench.time.runDue();
        bench.extend().confirms();
        assertThat(explicit.remaining()).isEqualTo(end);
        bench.advance(end);
        assertThat(explicit.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
    }
}
