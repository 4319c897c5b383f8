package io.distributedlock.internal.client;

import static io.distributedlock.Bench.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.time.HookedScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a client ends: no caller waits in vain, nothing stays behind. */
@Timeout(60)
class LockClientCloseTest {

    private static final LockRequest WANTED = LockRequest.of("42");

    private final Bench bench = new Bench();

    @Test
    void aClosedClientHasReleasedItsLocksAndClosedItsStore() {
        LockHandle lock = bench.held();
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        bench.client.close();
        assertThat(lock.isHeld()).isFalse();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
        assertThat(bench.store.isClosed()).isTrue();
        assertThat(bench.client.held()).isEmpty();
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void theCallerThatWaitsIsToldThatTheClientIsClosed() {
        CompletableFuture<LockHandle> waiting = bench.client.acquireAsync(WANTED);
        bench.acquire().refuses(Duration.ofSeconds(20));
        bench.client.close();
        LockUnavailableException closed = failure(LockUnavailableException.class, waiting);
        assertThat(closed.outcome()).isEqualTo(Outcome.CLOSED);
        assertThat(closed).hasMessageContaining("'42'").hasMessageContaining("closed or shutting down");
    }

    @Test
    void aClosedClientGivesNothingAndSendsNothing() {
        bench.client.close();
        for (Outcome outcome : List.of(
                catchThrowableOfType(LockUnavailableException.class, () -> bench.client.acquire(WANTED))
                        .outcome(),
                catchThrowableOfType(LockUnavailableException.class, () -> bench.client.tryAcquire(WANTED))
                        .outcome(),
                failure(LockUnavailableException.class, bench.client.acquireAsync(WANTED))
                        .outcome())) {
            assertThat(outcome).isEqualTo(Outcome.CLOSED);
        }
        assertThat(bench.store.calls()).isEmpty();
    }

    @Test
    void closingTwiceIsHarmless() {
        bench.held();
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        bench.client.close();
        bench.client.close();
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(1);
    }

    @Test
    void theCallerThatHoldsALockIsToldThatItIsLostBeforeItIsFreed() {
        LockHandle lock = bench.held();
        List<String> order = new ArrayList<>();
        lock.lost().thenAccept(reason -> order.add("told " + reason));
        bench.store.always(Verb.RELEASE, call -> {
            order.add("freed");
            call.frees();
        });
        bench.client.close();
        assertThat(order).containsExactly("told CLOSED", "freed");
        assertThat(failure(LockLostException.class, lock.releaseAsync()).reason())
                .isEqualTo(LossReason.CLOSED);
    }

    @Test
    void aCallThatBeginsWhileTheClientIsClosedIsToldSo() {
        HookedScheduler time = new HookedScheduler(bench.time);
        LockClient client = bench.settings().timeline(time).build();
        time.atNextLook(client::close);
        assertThat(failure(LockUnavailableException.class, client.acquireAsync(WANTED))
                        .outcome())
                .isEqualTo(Outcome.CLOSED);
        bench.store.calls(Verb.ACQUIRE).forEach(call -> call.grants(7));
        assertThat(client.held()).isEmpty();
        assertThat(bench.store.calls(Verb.RELEASE)).hasSameSizeAs(bench.store.calls(Verb.ACQUIRE));
    }
}
