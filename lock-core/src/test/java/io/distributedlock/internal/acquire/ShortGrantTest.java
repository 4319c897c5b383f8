package io.distributedlock.internal.acquire;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Grants of which too little is left when they arrive: less than a fifth of the lease. */
class ShortGrantTest {

    private static final Duration LITTLE = Duration.ofSeconds(6);
    private static final Duration ENOUGH = Duration.ofSeconds(7);

    private final Bench bench = new Bench();
    private final CompletableFuture<LockHandle> lock = bench.client.acquireAsync(LockRequest.of("42"));
    private final ScriptedCall first = bench.acquire();

    @Test
    void aFifthOfTheLeaseIsEnough() {
        first.grantsAgain(7, ENOUGH);
        assertThat(now(lock).remaining()).isGreaterThan(LITTLE);
    }

    @Test
    void lessThanHalfOfTheLeaseIsHandedOutAndExtendedSoon() {
        first.grantsAgain(7, ENOUGH);
        assertThat(now(lock).isHeld()).isTrue();
        bench.advanceMillis(10);
        bench.extend().confirms();
        assertThat(now(lock).remaining()).isEqualTo(Duration.ofMillis(29_398));
    }

    @Test
    void maxHoldEndsALockInTimeThatIsJustBeingExtended() {
        CompletableFuture<LockHandle> limited =
                bench.settings().maxHold(Duration.ofMillis(200)).build().acquireAsync(LockRequest.of("limited"));
        bench.acquire().grantsAgain(7, ENOUGH);
        bench.advanceMillis(10);
        bench.extend();
        bench.advanceMillis(200);
        assertThat(now(limited).lost().toCompletableFuture()).isCompletedWithValue(LossReason.MAX_HOLD);
    }

    @Test
    void aGrantWithLittleLeftIsExtendedBeforeItIsHandedOut() {
        bench.advanceMillis(200);
        first.grantsAgain(7, LITTLE);
        assertThat(lock).isNotDone();
        ScriptedCall refresh = bench.extend();
        assertThat(refresh.ttl()).isEqualTo(Bench.TTL);
        assertThat(refresh.token()).isEqualTo(7);
        assertThat(refresh.claim()).isEqualTo(first.claim());
        bench.advanceMillis(300);
        refresh.confirms();
        assertThat(now(lock).remaining()).isEqualTo(Duration.ofMillis(29_398 - 300));
        assertThat(now(lock).fencingToken()).isEqualTo(7L << 10);
    }

    @Test
    void ifTheLeaseHadRunOutTheLockIsTakenAgain() {
        first.grantsAgain(7, LITTLE);
        bench.extend().denies();
        bench.advance(Bench.MAX_PAUSE);
        bench.acquire().grants(9);
        assertThat(now(lock).fencingToken()).isEqualTo(9L << 10);
    }

    @Test
    void withoutAReplyToTheExtensionTheClaimIsConfirmed() {
        first.grantsAgain(7, LITTLE);
        bench.advance(Bench.COMMAND_TIMEOUT.plus(Bench.MAX_PAUSE));
        bench.acquire().grantsAgain(7, Duration.ofSeconds(28));
        assertThat(lock).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    void itIsExtendedOnceAndThenGivenUpAndTakenBack() {
        first.grantsAgain(7, LITTLE);
        bench.extend().denies();
        bench.advance(Bench.MAX_PAUSE);
        bench.acquire().grantsAgain(7, LITTLE);
        assertThat(failure(LockUnavailableException.class, lock).outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(bench.store.calls(Verb.EXTEND)).hasSize(1);
        assertThat(bench.client.unresolved()).isEqualTo(1);
        bench.release().frees();
        assertThat(bench.client.unresolved()).isZero();
    }

    @Test
    void aLockThatWasHandedOutWithLessThanAWholeLeaseIsRenewedBeforeItEnds() {
        first.grantsAgain(7, ENOUGH);
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(ENOUGH);
        assertThat(now(lock).isHeld()).isTrue();
        assertThat(bench.store.calls(Verb.EXTEND)).isNotEmpty();
    }
}
