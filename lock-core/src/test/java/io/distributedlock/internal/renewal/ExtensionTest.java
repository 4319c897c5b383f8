package io.distributedlock.internal.renewal;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Extensions that the holder asks for. */
class ExtensionTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SAFE_MINUTE = Duration.ofMillis(60_000 - 602 - 600);
    private static final Duration SAFE_SHORT = Duration.ofMillis(3_000 - 32 - 100);
    private static final LockRequest SHORT = LockRequest.of("42").withTtl(Duration.ofSeconds(3));

    private final Bench bench = new Bench();
    private final LockHandle lock = bench.held(SHORT);

    @Test
    void aConfirmedExtensionCountsFromItsSendTime() {
        bench.advanceMillis(1_000);
        CompletableFuture<Boolean> extended = lock.extendAsync(MINUTE);
        assertThat(bench.extend().ttl()).isEqualTo(MINUTE);
        assertThat(bench.extend().token()).isEqualTo(7);
        bench.advanceMillis(400);
        assertThat(lock.remaining()).isEqualTo(SAFE_SHORT.minusMillis(1_400));
        bench.extend().confirms();
        assertThat(extended).isCompletedWithValue(true);
        assertThat(lock.remaining()).isEqualTo(SAFE_MINUTE.minusMillis(400));
    }

    @Test
    void theHolderIsToldAtTheNewEndAndNotAtTheOldOne() {
        CompletableFuture<Boolean> extended = lock.extendAsync(MINUTE);
        bench.extend().confirms();
        bench.advance(SAFE_MINUTE.minusNanos(1));
        assertThat(extended).isCompletedWithValue(true);
        assertThat(lock.lost().toCompletableFuture()).isNotDone();
        bench.advance(Duration.ofNanos(1));
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
    }

    @Test
    void aShorterTtlTakesNothingAway() {
        CompletableFuture<Boolean> extended = lock.extendAsync(Duration.ofSeconds(1));
        bench.extend().confirms(Duration.ofSeconds(3));
        assertThat(extended).isCompletedWithValue(true);
        assertThat(lock.remaining()).isEqualTo(SAFE_SHORT);
    }

    @Test
    void aDeniedExtensionIsALoss() {
        CompletableFuture<Boolean> extended = lock.extendAsync(MINUTE);
        bench.extend().denies();
        assertThat(extended).isCompletedWithValue(false);
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
    }

    @Test
    void withoutAReplyTheOldLeaseCountsUntilTheLateConfirmation() {
        CompletableFuture<Boolean> extended = lock.extendAsync(MINUTE);
        bench.advanceMillis(600);
        LockUnavailableException unknown = failure(LockUnavailableException.class, extended);
        assertThat(unknown.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(unknown).hasMessageContaining("still held for at least 2268 ms");
        assertThat(lock.remaining()).isEqualTo(SAFE_SHORT.minusMillis(600));
        bench.extend().confirms();
        assertThat(lock.remaining()).isEqualTo(SAFE_MINUTE.minusMillis(600));
    }

    @Test
    void aRefusedExtensionHadNoEffectAndTheLockIsStillHeld() {
        CompletableFuture<Boolean> extended = lock.extendAsync(MINUTE);
        bench.extend().fails(Effect.REFUSED);
        assertThat(failure(LockUnavailableException.class, extended).outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void aLockThatIsOverIsNotExtendedAndNothingIsSent() {
        bench.time.pause(SAFE_SHORT);
        assertThat(lock.extendAsync(MINUTE)).isCompletedWithValue(false);
        assertThat(bench.store.calls(Verb.EXTEND)).isEmpty();
    }

    @Test
    void aReleasedLockIsNotExtended() {
        lock.releaseAsync();
        assertThat(lock.extendAsync(MINUTE)).isCompletedWithValue(false);
        assertThat(bench.store.calls(Verb.EXTEND)).isEmpty();
    }

    @Test
    void aConfirmationAfterTheEndDoesNotBringTheLockBack() {
        CompletableFuture<Boolean> extended = lock.extendAsync(MINUTE);
        ScriptedCall late = bench.extend();
        bench.advance(SAFE_SHORT);
        late.confirms();
        assertThat(lock.isHeld()).isFalse();
        assertThat(extended).isCompletedExceptionally();
    }

    @Test
    void aTtlOutsideTheLimitsIsRefusedBeforeAnythingIsSent() {
        assertThatThrownBy(() -> lock.extendAsync(Duration.ofMillis(49)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from 50ms to 365d");
        assertThat(bench.store.calls(Verb.EXTEND)).isEmpty();
    }

    @Test
    void aRenewedLockGoesOnBeingRenewedInItsOwnStep() {
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        LockHandle renewed = bench.held(LockRequest.of("43"));
        CompletableFuture<Boolean> extended = renewed.extendAsync(MINUTE);
        bench.extend().confirms();
        assertThat(extended).isCompletedWithValue(true);
        bench.advance(Bench.TTL.dividedBy(3));
        ScriptedCall renewal = bench.store.calls(Verb.EXTEND).get(1);
        assertThat(renewal.ttl()).isEqualTo(Bench.TTL);
        renewal.confirms();
        assertThat(renewed.remaining()).isGreaterThan(Bench.TTL);
    }

    @Test
    void aConfirmedExtensionCountsAlthoughTheCallersExecutorIsBusy() {
        Deque<Runnable> callers = new ArrayDeque<>();
        LockClient client = bench.settings().executor(callers::add).build();
        CompletableFuture<LockHandle> busy = client.acquireAsync(SHORT);
        bench.acquire().grants(7);
        callers.remove().run();
        CompletableFuture<Boolean> extended = now(busy).extendAsync(MINUTE);
        bench.extend().confirms();
        bench.advance(SAFE_SHORT);
        assertThat(now(busy).isHeld()).isTrue();
        assertThat(extended).isNotDone();
        callers.remove().run();
        assertThat(extended).isCompletedWithValue(true);
    }

    @Test
    void aReleaseWithoutAReplyIsRepeatedForAsLongAsTheExtendedLeaseCouldLast() {
        CompletableFuture<Boolean> extended = lock.extendAsync(MINUTE);
        bench.extend().confirms();
        CompletableFuture<Void> released = lock.releaseAsync();
        bench.advanceMillis(50_000);
        assertThat(extended).isCompletedWithValue(true);
        assertThat(released).isCompleted();
        assertThat(bench.client.unresolved()).isEqualTo(1);
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        bench.advanceMillis(1_000);
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void anExtensionOfUnknownOutcomeIsTakenBackForAsLongAsItCouldLast() {
        CompletableFuture<Boolean> extended = lock.extendAsync(MINUTE);
        bench.advanceMillis(50_000);
        assertThat(extended).isCompletedExceptionally();
        assertThat(lock.isHeld()).isFalse();
        assertThat(bench.client.unresolved()).isEqualTo(1);
    }
}
