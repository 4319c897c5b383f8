package io.distributedlock.internal.lease;

import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A lock that stays closed for a while after its holder has lost it. */
class StopMarginTest {

    private static final Duration MARGIN = Duration.ofSeconds(10);
    private static final Duration LONGEST_CLOSING = MARGIN.plusSeconds(1);
    private static final LockRequest WANTED = LockRequest.of("orders", "42");

    private final Bench bench = new Bench();
    private final LockClient client = bench.settings().stopMargin(MARGIN).build();

    private LockHandle held(LockRequest request) {
        CompletableFuture<LockHandle> lock = client.acquireAsync(request);
        bench.acquire().grants(7);
        return now(lock);
    }

    @Test
    void theStoreIsAskedForAsMuchMoreAndTheHolderReliesOnItsTtlAlone() {
        CompletableFuture<LockHandle> wanted = client.acquireAsync(WANTED);
        ScriptedCall acquire = bench.acquire();
        assertThat(acquire.ttl()).isEqualTo(Bench.TTL.plus(MARGIN));
        acquire.grants(7);
        LockHandle lock = now(wanted);
        assertThat(lock.remaining()).isBetween(Bench.TTL.minusSeconds(1), Bench.TTL);
        bench.advance(Bench.TTL.dividedBy(2));
        ScriptedCall extend = bench.extend();
        assertThat(extend.ttl()).isEqualTo(Bench.TTL.plus(MARGIN));
        extend.confirms();
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(Bench.TTL);
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.remaining()).isBetween(Bench.TTL.dividedBy(2), Bench.TTL);
    }

    @Test
    void aLockThatIsReleasedIsFreeAtOnce() {
        CompletableFuture<Void> released = held(WANTED).releaseAsync();
        bench.release().frees();
        assertThat(released).isCompleted();
        assertThat(bench.store.calls(Verb.KEEP)).isEmpty();
    }

    @Test
    void aLockThatIsLostAtItsDeadlineStaysClosedForTheMarginAndIsReleasedThen() {
        LockHandle lock = held(WANTED.withTtl(Duration.ofSeconds(4)));
        bench.advance(Duration.ofSeconds(4));
        assertThat(now(lock.lost().toCompletableFuture())).isEqualTo(LossReason.DEADLINE);
        ScriptedCall keep = bench.store.last(Verb.KEEP);
        assertThat(keep.ttl()).isEqualTo(LONGEST_CLOSING);
        keep.keeps();
        bench.advance(MARGIN.minusSeconds(1));
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
        bench.advance(Duration.ofSeconds(1));
        assertThat(bench.store.calls(Verb.RELEASE)).isNotEmpty();
    }

    /** A try that got no answer may have come after the grant. */
    @Test
    void whatIsLeftOfEarlierTriesIsTakenBackAfterTheMarginOnly() {
        CompletableFuture<LockHandle> wanted = client.acquireAsync(WANTED.withTtl(Duration.ofSeconds(4)));
        ScriptedCall first = bench.acquire();
        bench.advance(Bench.COMMAND_TIMEOUT);
        bench.advance(Bench.MAX_PAUSE);
        ScriptedCall second = bench.acquire();
        assertThat(second).isNotSameAs(first);
        second.grants(7);
        LockHandle lock = now(wanted);
        bench.advance(Duration.ofSeconds(4));
        assertThat(lock.isHeld()).isFalse();
        first.grants(7);
        bench.advance(MARGIN.minusSeconds(2));
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
        bench.advance(Duration.ofSeconds(2));
        assertThat(bench.store.calls(Verb.RELEASE)).isNotEmpty();
    }

    /** What is handed over is short at first, and the margin makes it shorter. */
    @Test
    void aShortTtlIsWholeAlsoIfTheLockWasHandedOver() {
        Duration ttl = Duration.ofSeconds(2);
        LockClient near = bench.settings().stopMargin(Duration.ofSeconds(2)).build();
        CompletableFuture<LockHandle> wanted = near.acquireAsync(WANTED.withTtl(ttl));
        bench.acquire()
                .queues(Duration.ofMillis(100))
                .complete(Optional.of(new Granted(7, LockStore.LONGEST_DIRECT_LEASE, true)));
        LockHandle lock = now(wanted);
        bench.store.always(Verb.EXTEND, ScriptedCall::confirms);
        bench.advance(ttl.minusMillis(300));
        assertThat(lock.isHeld()).isTrue();
        bench.advance(Duration.ofSeconds(1));
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void aLockThatAnotherOwnerHasIsLeftAlone() {
        LockHandle lock = held(WANTED);
        bench.store.always(Verb.EXTEND, ScriptedCall::denies);
        bench.advance(Bench.TTL.dividedBy(2));
        assertThat(now(lock.lost().toCompletableFuture())).isEqualTo(LossReason.NOT_OWNER);
        bench.advance(Duration.ofMinutes(5));
        assertThat(bench.store.calls(Verb.KEEP)).isEmpty();
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
    }

    @Test
    void aRenewalThatArrivesAfterTheLossBringsNothingBack() {
        LockHandle lock = held(WANTED);
        bench.advance(Bench.TTL.dividedBy(2));
        ScriptedCall late = bench.extend();
        bench.advance(Bench.TTL.dividedBy(2));
        assertThat(lock.isHeld()).isFalse();
        late.confirms();
        assertThat(lock.isHeld()).isFalse();
        bench.advance(MARGIN);
        assertThat(bench.store.calls(Verb.RELEASE)).isNotEmpty();
    }

    @Test
    void aMarginIsNeitherNegativeNorLongerThanAnHour() {
        assertThatIllegalArgumentException().isThrownBy(() -> bench.settings().stopMargin(Duration.ofMillis(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> bench.settings().stopMargin(Duration.ofHours(2)));
    }

    /** A late answer has the claim looked at once more. */
    @Test
    void theMarginIsKeptToAlsoIfTheLockWasHandedOverBeforeItWasLost() {
        LockRequest wanted = WANTED.withTtl(Duration.ofSeconds(4));
        CompletableFuture<LockHandle> one = client.acquireAsync(wanted);
        ScriptedCall unanswered = bench.acquire();
        bench.advance(Bench.COMMAND_TIMEOUT);
        bench.advance(Bench.MAX_PAUSE);
        bench.acquire().grants(7);
        CompletableFuture<LockHandle> two = client.acquireAsync(wanted);
        now(one).releaseAsync();
        bench.time.runDue();
        LockHandle next = now(two);
        bench.store.always(Verb.KEEP, ScriptedCall::keeps);
        bench.advance(Duration.ofSeconds(4));
        assertThat(next.isHeld()).isFalse();
        unanswered.grants(7);
        bench.advance(MARGIN.minusSeconds(2));
        assertThat(bench.store.calls(Verb.RELEASE)).isEmpty();
        bench.advance(Duration.ofSeconds(3));
        assertThat(bench.store.calls(Verb.RELEASE)).isNotEmpty();
    }
}
