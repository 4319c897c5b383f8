package io.distributedlock.internal.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A long explicit ttl is written short first, so that a process that dies in the wrong moment blocks others for seconds only. */
class ShortFirstLeaseTest {

    private static final Duration LONG = Duration.ofHours(2);
    private static final Duration PROBATION = Duration.ofSeconds(5);
    /** 5 s, less a hundredth and 2 ms for clock drift, less 100 ms to be told in time. */
    private static final Duration SAFE = Duration.ofMillis(5_000 - 52 - 100);
    /** A third of that, rounded up to the grid of the timer. */
    private static final Duration STRETCH = SAFE.dividedBy(3).plusNanos(1);
    /** 2 h, less a hundredth and 2 ms for clock drift, less another hundredth to be told in time. */
    private static final Duration SAFE_LONG = Duration.ofMillis(7_200_000 - 72_002 - 72_000);

    private final Bench bench = new Bench();

    private LockHandle heldLong() {
        return bench.held(LockRequest.of("42").withTtl(LONG));
    }

    /** Held until the store is asked for the rest of the ttl. */
    private LockHandle stretching() {
        LockHandle lock = heldLong();
        bench.advance(STRETCH);
        return lock;
    }

    @Test
    void itIsStretchedToTheRestOfItsTtlIfItIsStillHeldAfterAThirdAndTheHolderDoesNotWaitForThat() {
        LockHandle lock = heldLong();
        assertThat(bench.store.calls().get(0).ttl()).isEqualTo(PROBATION);
        bench.advance(STRETCH.minusMillis(1));
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
        bench.advanceMillis(1);
        assertThat(bench.extend().ttl())
                .isBetween(LONG.minus(STRETCH), LONG.minus(STRETCH).plusMillis(2));
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void workThatIsDoneSoonerCostsNoOtherCommand() {
        LockHandle lock = heldLong();
        bench.advance(STRETCH.minusMillis(1));
        lock.releaseAsync();
        bench.release().frees();
        bench.advance(LONG);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void aHolderThatNeedsMoreThanTheShortLeaseAsksForTheRestAtOnce() {
        LockHandle lock = heldLong();
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        lock.requireHeld(Duration.ofMinutes(10));
        assertThat(bench.store.calls(Verb.EXTEND))
                .singleElement()
                .satisfies(call -> assertThat(call.ttl()).isBetween(LONG, LONG.plusMillis(1)));
        lock.requireHeld(Duration.ofMinutes(10));
        assertThat(bench.store.calls(Verb.EXTEND)).hasSize(1);
        assertThatThrownBy(() -> lock.requireHeld(LONG)).isInstanceOf(LockLostException.class);
    }

    @Test
    void untilTheStretchIsConfirmedOnlyTheShortLeaseCounts() {
        LockHandle lock = stretching();
        assertThat(lock.remaining()).isEqualTo(SAFE.minus(STRETCH));
        bench.advanceMillis(300);
        bench.extend().confirms();
        assertThat(lock.remaining())
                .isBetween(atLeastLeftAfter(300), atLeastLeftAfter(300).plusMillis(40));
    }

    /** The margins of the rest of a ttl are a little smaller than those of the whole. */
    private static Duration atLeastLeftAfter(long millis) {
        return SAFE_LONG.minus(STRETCH).minusMillis(millis);
    }

    @Test
    void afterTheStretchItIsNeverRenewedAndEndsByItsTtl() {
        LockHandle lock = stretching();
        bench.extend().confirms();
        bench.advance(lock.remaining().minusNanos(1));
        assertThat(lock.isHeld()).isTrue();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.EXTEND);
        bench.advance(Duration.ofNanos(1));
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
    }

    @Test
    void aStretchThatFailsIsRepeatedAndOneSuccessIsEnough() {
        LockHandle lock = stretching();
        bench.extend().fails(Effect.REFUSED);
        bench.store.always(Verb.EXTEND, call -> call.fails(Effect.UNKNOWN));
        bench.advanceMillis(2_800);
        assertThat(bench.store.calls(Verb.EXTEND)).hasSizeGreaterThan(5);
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advanceMillis(500);
        int sent = bench.store.calls(Verb.EXTEND).size();
        bench.advance(Duration.ofHours(1));
        assertThat(lock.isHeld()).isTrue();
        assertThat(bench.store.calls(Verb.EXTEND)).hasSize(sent);
    }

    @Test
    void aStretchThatIsConfirmedLateEndsTheRepetitions() {
        LockHandle lock = stretching();
        ScriptedCall first = bench.extend();
        bench.advanceMillis(3_000);
        first.confirms();
        assertThat(lock.remaining())
                .isBetween(atLeastLeftAfter(3_000), atLeastLeftAfter(3_000).plusMillis(40));
        bench.advanceMillis(2_000);
        int sent = bench.store.calls(Verb.EXTEND).size();
        bench.advance(Duration.ofHours(1));
        assertThat(bench.store.calls(Verb.EXTEND)).hasSize(sent);
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void aStretchThatIsNeverConfirmedEndsTheLockWithTheShortLease() {
        LockHandle lock = heldLong();
        bench.advance(SAFE);
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
    }

    @Test
    void whatAnUnconfirmedStretchMayHaveWrittenIsTakenBackForAsLongAsItCouldLast() {
        LockHandle lock = heldLong();
        bench.advance(SAFE);
        assertThat(lock.isHeld()).isFalse();
        bench.advance(LONG.minusMinutes(1));
        assertThat(bench.client.unresolved()).isEqualTo(1);
        bench.store.isReachableAgain();
        bench.time.runDue();
        bench.release().frees();
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aStretchThatIsDeniedEndsTheLockAtOnce() {
        LockHandle lock = stretching();
        bench.extend().denies();
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
    }

    @Test
    void anAcquireOfUnknownOutcomeLeavesTheShortLeaseAtMost() {
        CompletableFuture<LockHandle> lock =
                bench.client.acquireAsync(LockRequest.of("42").withTtl(LONG));
        bench.advance(Bench.COMMAND_TIMEOUT.multipliedBy(2));
        assertThat(lock).isCompletedExceptionally();
        assertThat(bench.store.calls(Verb.ACQUIRE)).allMatch(call -> call.ttl().equals(PROBATION));
    }

    @Test
    void theShortLeaseIsNeverBelowFiveCommandTimeouts() {
        LockClient slow = bench.settings().commandTimeout(Duration.ofSeconds(3)).build();
        assertThat(slow.acquireAsync(LockRequest.of("42").withTtl(LONG))).isNotDone();
        assertThat(bench.acquire().ttl()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void neitherAShortTtlNorARenewedLockNeedsIt() {
        bench.held(LockRequest.of("short").withTtl(PROBATION));
        bench.held();
        assertThat(bench.store.calls().stream().map(ScriptedCall::ttl)).containsExactly(PROBATION, Bench.TTL);
    }
}
