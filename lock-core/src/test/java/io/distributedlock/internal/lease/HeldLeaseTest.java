package io.distributedlock.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockRequest;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall.Verb;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a process was granted, when it passes from one of its holders to the next. */
class HeldLeaseTest {

    private static final Duration SAFE = Duration.ofMillis(29_398);

    private final Bench bench = new Bench();
    private final SingleLockHandle first = (SingleLockHandle) bench.held();
    private final HeldLease heldLease = first.hold().heldLease();
    private final SingleLockHandle second = new SingleLockHandle(heldLease, 1, null);

    @Test
    void eachTurnHasALargerTokenOfTheSameGrant() {
        assertThat(first.fencingToken()).isEqualTo(7L << 10);
        assertThat(second.fencingToken()).isEqualTo((7L << 10) + 1);
    }

    @Test
    void onlyTheCallerThatHasItHoldsTheLock() {
        assertThat(second.isHeld()).isFalse();
        assertThat(heldLease.passOn(first.hold(), second.hold())).isTrue();
        assertThat(first.isHeld()).isFalse();
        assertThat(second.isHeld()).isTrue();
        assertThat(second.remaining()).isEqualTo(SAFE);
        assertThat(bench.client.held()).containsExactly(second);
    }

    @Test
    void itIsPassedOnOnce() {
        assertThat(heldLease.passOn(first.hold(), second.hold())).isTrue();
        assertThat(heldLease.passOn(first.hold(), new SingleLockHandle(heldLease, 2, null).hold()))
                .isFalse();
        assertThat(second.isHeld()).isTrue();
    }

    @Test
    void aLossBeforeItIsPassedOnIsTheFirstHoldersAndEndsIt() {
        bench.advance(SAFE);
        assertThat(heldLease.passOn(first.hold(), second.hold())).isFalse();
        assertThat(first.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
        assertThat(second.isHeld()).isFalse();
        assertThat(second.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void aLossAfterItWasPassedOnIsTheSecondHoldersOnly() {
        assertThat(heldLease.passOn(first.hold(), second.hold())).isTrue();
        bench.advance(SAFE);
        assertThat(second.lost().toCompletableFuture()).isCompletedWithValue(LossReason.DEADLINE);
        assertThat(first.lost().toCompletableFuture()).isNotDone();
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(1);
    }

    @Test
    void theBoundsOfOneHolderDoNotCountForTheNext() {
        SingleLockHandle bounded = new SingleLockHandle(heldLease, 1, Duration.ofSeconds(2));
        assertThat(heldLease.passOn(first.hold(), bounded.hold())).isTrue();
        bench.time.pause(Duration.ofSeconds(3));
        assertThat(heldLease.passOn(bounded.hold(), second.hold())).isTrue();
        assertThat(bounded.hold().endsIfTooLong()).isFalse();
        assertThat(second.isHeld()).isTrue();
    }

    @Test
    void theBoundOfAHolderThatHasReleasedItDoesNotCountWhileItLiesOpen() {
        bench.client.acquireAsync(LockRequest.of("42"));
        SingleLockHandle bounded = new SingleLockHandle(heldLease, 1, Duration.ofSeconds(2));
        assertThat(heldLease.passOn(first.hold(), bounded.hold())).isTrue();
        assertThat(bounded.hold().span()).isEqualTo(Duration.ofSeconds(2));
        bounded.releaseAsync();
        assertThat(heldLease.belongsTo(bounded.hold())).isTrue();
        bench.time.pause(Duration.ofSeconds(3));
        assertThat(bounded.hold().span()).isEqualTo(SAFE.minusSeconds(3));
        assertThat(bounded.hold().isLimited()).isFalse();
    }

    @Test
    void itIsReleasedByTheHolderThatHasIt() {
        assertThat(heldLease.passOn(first.hold(), second.hold())).isTrue();
        second.releaseAsync();
        bench.release().frees();
        assertThat(heldLease.isOver()).isTrue();
        assertThat(second.state()).isEqualTo(LockState.RELEASED);
        bench.advanceToTheLookAtPendingCalls();
        assertThat(bench.time.timers()).isZero();
    }
}
