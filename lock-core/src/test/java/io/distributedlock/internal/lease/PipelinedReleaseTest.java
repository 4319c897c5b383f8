package io.distributedlock.internal.lease;

import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockLostException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import io.distributedlock.ReleaseMode;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A release that is sent, and not waited for. */
@Timeout(60)
class PipelinedReleaseTest {

    private final Bench bench = new Bench();
    private final LockClient client =
            bench.settings().releases(ReleaseMode.PIPELINED).build();

    private LockHandle held() {
        CompletableFuture<LockHandle> lock = client.acquireAsync(LockRequest.of("42"));
        bench.acquire().grants(7);
        return now(lock);
    }

    @Test
    void theCallReturnsBeforeTheAnswer() {
        LockHandle lock = held();
        lock.release();
        assertThat(lock.state()).isEqualTo(LockState.RELEASED);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
        bench.release().frees();
        assertThat(client.held()).isEmpty();
    }

    @Test
    void theCallForSeveralKeysReturnsBeforeTheAnswersToo() {
        CompletableFuture<LockHandle> both = client.acquireAsync(LockRequest.ofAll("account", List.of("a", "b")));
        bench.acquire().grants(7);
        bench.acquire().grants(8);
        LockHandle locks = now(both);
        locks.release();
        assertThat(locks.state()).isEqualTo(LockState.RELEASED);
        assertThat(bench.store.calls(Verb.RELEASE)).hasSize(2);
        bench.store.calls(Verb.RELEASE).forEach(ScriptedCall::frees);
        assertThat(client.held()).isEmpty();
    }

    @Test
    void theNextCallerOfThisClientIsSentBehindIt() {
        held().release();
        CompletableFuture<LockHandle> next = client.acquireAsync(LockRequest.of("42"));
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE, Verb.ACQUIRE);
        bench.acquire().grants(8);
        assertThat(now(next).isHeld()).isTrue();
    }

    @Test
    void aLossThatTheAnswerTellsReachesTheSignalAndTheListeners() {
        LockHandle lock = held();
        lock.release();
        bench.release().freesNothing();
        assertThat(lock.lost().toCompletableFuture()).isCompletedWithValue(LossReason.NOT_OWNER);
        assertThat(lock.state()).isEqualTo(LockState.LOST);
    }

    @Test
    void aLossThatIsKnownIsThrown() {
        LockHandle lock = held();
        bench.advance(Duration.ofHours(1));
        assertThatThrownBy(lock::release).isInstanceOf(LockLostException.class);
    }

    @Test
    void aReleaseWithoutAnAnswerIsCleanedUpAfter() {
        held().release();
        bench.advance(Bench.COMMAND_TIMEOUT.multipliedBy(2));
        assertThat(bench.store.calls(Verb.RELEASE)).hasSizeGreaterThan(1);
        bench.store.calls(Verb.RELEASE).forEach(ScriptedCall::frees);
        assertThat(client.unresolved()).isZero();
    }
}
