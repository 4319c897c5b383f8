package io.distributedlock.internal.lease;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockEvent.Released;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A lock that stays taken for a while although its holder has released it. */
class MinHoldTest {

    private static final Duration MIN_HOLD = Duration.ofSeconds(10);
    private static final LockRequest WANTED = LockRequest.of("job", "nightly").withMinHold(MIN_HOLD);

    private final Bench bench = new Bench();

    @Test
    void aShortJobLeavesTheLockTakenUntilItsMinHoldHasPassedSinceTheGrant() {
        LockHandle lock = bench.held(WANTED);
        bench.advance(Duration.ofSeconds(4));
        CompletableFuture<Void> released = lock.releaseAsync();
        ScriptedCall keep = bench.store.last(Verb.KEEP);
        assertThat(keep.ttl()).isEqualTo(Duration.ofSeconds(6));
        keep.keeps();
        assertThat(released).isCompleted();
        assertThat(lock.state()).isEqualTo(LockState.RELEASED);
        bench.advance(Duration.ofSeconds(6).minusNanos(1));
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
        bench.advance(Duration.ofNanos(1));
        bench.release().freesNothing();
        assertThat(bench.time.timers()).isZero();
        await().untilAsserted(() ->
                assertThat(bench.events).last().isEqualTo(new Released("job", "nightly", Duration.ofSeconds(4), true)));
    }

    @Test
    void aLongJobFreesTheLockAtItsEnd() {
        LockHandle lock = bench.held(WANTED.withTtl(Duration.ofSeconds(12)));
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(MIN_HOLD);
        CompletableFuture<Void> released = lock.releaseAsync();
        bench.release().frees();
        assertThat(released).isCompleted();
    }

    @Test
    void withoutAnAnswerTheLockIsTakenBackAfterItsMinHoldAndNotEarlier() {
        CompletableFuture<Void> released =
                bench.held(WANTED.withTtl(Duration.ofHours(2))).releaseAsync();
        bench.advance(Bench.COMMAND_TIMEOUT);
        assertThat(released).isCompleted();
        bench.advance(MIN_HOLD.minusNanos(1));
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
        bench.advance(Duration.ofNanos(1));
        bench.release().frees();
        assertThat(bench.client.unresolved()).isZero();
        await().until(() ->
                bench.events.stream().anyMatch(event -> event instanceof Released told && !told.confirmed()));
    }

    @Test
    void aLockThatAnotherOwnerHasByThenIsALoss() {
        CompletableFuture<Void> released = bench.held(WANTED).releaseAsync();
        bench.store.last(Verb.KEEP).keepsNothing();
        assertThat(failure(LockLostException.class, released).reason()).isEqualTo(LossReason.NOT_OWNER);
    }

    @Test
    void aRenewedLeaseIsNoShorter() {
        LockHandle lock = bench.held(WANTED.withMinHold(Duration.ofMinutes(2)));
        assertThat(bench.store.calls(Verb.ACQUIRE))
                .singleElement()
                .satisfies(call -> assertThat(call.ttl()).isEqualTo(Duration.ofMinutes(2)));
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void anExplicitTtlHasToBeLongEnough() {
        LockRequest tooShort = LockRequest.of("job", "nightly").withTtl(Duration.ofSeconds(9));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tooShort.withMinHold(MIN_HOLD))
                .withMessageContaining("A min-hold must be at most the ttl, but they are PT10S and PT9S");
    }

    @Test
    void aShareIsNotKept() {
        assertThat(failure(IllegalArgumentException.class, bench.client.acquireAsync(WANTED.shared())))
                .hasMessageContaining("Lock 'job' is requested as shared and with a min-hold");
    }

    @Test
    void aLockThatHasToBeKeptIsNotPassedOnWithinTheProcess() {
        LockClient client = bench.client;
        CompletableFuture<LockHandle> first = client.acquireAsync(WANTED);
        bench.acquire().grants(7);
        CompletableFuture<LockHandle> second = client.acquireAsync(WANTED);
        CompletableFuture<Void> released = now(first).releaseAsync();
        assertThat(bench.store.calls(Verb.KEEP)).hasSize(1);
        bench.store.calls(Verb.KEEP).get(0).keeps();
        assertThat(released).isCompleted();
        assertThat(second).isNotDone();
        assertThat(bench.store.calls(Verb.ACQUIRE)).hasSize(2);
    }

    @Test
    void aLateAnswerToAnotherTryOfItsClaimFreesTheLockNoEarlier() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(WANTED);
        ScriptedCall first = bench.acquire();
        bench.advance(Bench.COMMAND_TIMEOUT.plus(Bench.MAX_PAUSE));
        ScriptedCall second = bench.acquire();
        first.grants(7);
        now(lock).releaseAsync();
        bench.store.last(Verb.KEEP).keeps();
        second.grantsAgain(7, Bench.TTL);
        bench.advance(MIN_HOLD.minusNanos(1));
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
        bench.advance(Duration.ofNanos(1));
        bench.release().freesNothing();
        assertThat(bench.client.unresolved()).isZero();
    }
}
