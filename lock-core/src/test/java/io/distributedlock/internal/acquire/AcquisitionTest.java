package io.distributedlock.internal.acquire;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ways to a lock in which the store says what it did. */
class AcquisitionTest {

    private static final Duration LEASE_ENDS = Duration.ofSeconds(20);
    private static final LockRequest WANTED = LockRequest.of("42");

    private final Bench bench = new Bench();

    @AfterEach
    void nothingIsLeftToCleanUp() {
        assertThat(bench.client.unresolved()).isZero();
    }

    private CompletableFuture<LockHandle> acquire() {
        return bench.client.acquireAsync(WANTED);
    }

    @Test
    void aGrantIsHandedOutAtOnce() {
        CompletableFuture<LockHandle> lock = acquire();
        assertThat(lock).isNotDone();
        bench.acquire().grants(7);
        assertThat(lock).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
        assertThat(bench.client.held()).containsExactly(now(lock));
    }

    @Test
    void theLeaseThatIsAskedForIsTheClientsUnlessTheRequestHasOne() {
        CompletableFuture<LockHandle> first = acquire();
        assertThat(bench.acquire().ttl()).isEqualTo(Bench.TTL);
        CompletableFuture<LockHandle> second =
                bench.client.acquireAsync(LockRequest.of("43").withTtl(Duration.ofSeconds(3)));
        assertThat(bench.acquire().ttl()).isEqualTo(Duration.ofSeconds(3));
        bench.store.calls().forEach(call -> call.grants(7));
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
    }

    @Test
    void aRefusedWaiterTriesAgainAsTheSameOwner() {
        CompletableFuture<LockHandle> lock = acquire();
        bench.acquire().refuses(LEASE_ENDS);
        bench.advance(Bench.POLL);
        ScriptedCall second = bench.acquire();
        assertThat(second.sentAt()).isEqualTo(Bench.POLL);
        assertThat(second.claim()).isEqualTo(bench.store.calls().get(0).claim());
        second.grants(8);
        assertThat(lock).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    void everyAcquisitionIsAnOwnerOfItsOwn() {
        CompletableFuture<LockHandle> first = acquire();
        CompletableFuture<LockHandle> second = acquire();
        assertThat(bench.store.calls().stream().map(ScriptedCall::claim)).doesNotHaveDuplicates();
        assertThat(first.cancel(false) && second.cancel(false)).isTrue();
        bench.store.calls(Verb.RELEASE).forEach(ScriptedCall::freesNothing);
    }

    @Test
    void aWaitTimeOfZeroIsExactlyOneTry() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(WANTED.withWaitTime(Duration.ZERO));
        bench.acquire().refuses(LEASE_ENDS);
        LockNotAcquiredException refused = failure(LockNotAcquiredException.class, lock);
        assertThat(refused.holderLeaseEndsIn()).isEqualTo(LEASE_ENDS);
        assertThat(refused)
                .hasMessageContaining("'42' is held by another owner: not acquired at once. The present lease");
        assertThat(bench.store.calls()).hasSize(1);
    }

    @Test
    void theWaitTimeIsOneDeadlineForAllTriesAndTheLastPauseEndsThere() {
        LockClient patient =
                bench.settings().waiting((tries, ends) -> Duration.ofSeconds(3)).build();
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(LEASE_ENDS));
        CompletableFuture<LockHandle> lock = patient.acquireAsync(WANTED);
        bench.advanceMillis(4_999);
        assertThat(lock).isNotDone();
        bench.advanceMillis(1);
        assertThat(failure(LockNotAcquiredException.class, lock)).hasMessageContaining("not acquired in 5000 ms");
        assertThat(bench.store.calls().stream().map(ScriptedCall::sentAt))
                .containsExactly(Duration.ZERO, Duration.ofSeconds(3), Bench.WAIT_TIME);
    }

    @Test
    void repliesUseUpTheWaitTimeToo() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(WANTED.withWaitTime(Duration.ofMillis(500)));
        bench.advanceMillis(900);
        bench.acquire().refuses(LEASE_ENDS);
        assertThat(failure(LockNotAcquiredException.class, lock)).hasMessageContaining("in 900 ms");
    }

    @Test
    void newsWakesAWaiterBeforeItsTimerDoesAndOnlyOnce() {
        CompletableFuture<Optional<Granted>> news = new CompletableFuture<>();
        CompletableFuture<LockHandle> lock = acquire();
        bench.acquire().refuses(LEASE_ENDS, news);
        bench.advanceMillis(10);
        news.complete(Optional.empty());
        bench.time.runDue();
        assertThat(bench.acquire().sentAt()).isEqualTo(Duration.ofMillis(10));
        bench.advance(Bench.POLL.multipliedBy(3));
        assertThat(bench.store.calls()).hasSize(2);
        bench.acquire().grants(8);
        assertThat(lock).isCompleted();
    }

    @Test
    void newsThatFailsOrComesTooLateDoesNoHarm() {
        CompletableFuture<Optional<Granted>> news = new CompletableFuture<>();
        CompletableFuture<LockHandle> lock = acquire();
        bench.acquire().refuses(LEASE_ENDS, CompletableFuture.failedFuture(new IllegalStateException("lost")));
        bench.advance(Bench.POLL);
        bench.acquire().refuses(LEASE_ENDS, news);
        bench.advance(Bench.POLL);
        bench.acquire().grants(8);
        news.complete(Optional.empty());
        bench.time.runDue();
        assertThat(bench.store.calls()).hasSize(3);
        assertThat(lock).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @ParameterizedTest
    @EnumSource(
            value = Effect.class,
            names = {"REFUSED", "NOT_SENT"})
    void aTryWithoutEffectIsRepeatedAndTheGrantUsed(Effect effect) {
        CompletableFuture<LockHandle> lock = acquire();
        bench.acquire().fails(effect);
        bench.advance(Bench.MAX_PAUSE);
        bench.acquire().fails(effect);
        bench.advance(Bench.MAX_PAUSE);
        bench.acquire().grants(7);
        assertThat(lock).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @ParameterizedTest
    @EnumSource(
            value = Effect.class,
            names = {"REFUSED", "NOT_SENT"})
    void aStoreThatNeverAnswersIsGivenUpAfterOneCommandTimeoutAndNothingWasWritten(Effect effect) {
        bench.store.always(Verb.ACQUIRE, call -> call.fails(effect));
        CompletableFuture<LockHandle> lock = acquire();
        bench.advance(Bench.COMMAND_TIMEOUT.plus(Bench.MAX_PAUSE));
        LockUnavailableException unavailable = failure(LockUnavailableException.class, lock);
        assertThat(unavailable.outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(unavailable).hasMessageContaining("Nothing was written").hasMessageContaining("scripted");
        assertThat(bench.store.verbs()).containsOnly(Verb.ACQUIRE).hasSizeGreaterThan(15);
    }

    @Test
    void onceTheStoreHasAnsweredTroubleIsSatOutForTheWholeWaitTime() {
        CompletableFuture<LockHandle> lock = acquire();
        bench.acquire().refuses(LEASE_ENDS);
        bench.store.always(Verb.ACQUIRE, call -> call.fails(Effect.REFUSED));
        bench.advanceMillis(4_900);
        assertThat(lock).isNotDone();
        bench.advanceMillis(100 + 50);
        assertThat(failure(LockUnavailableException.class, lock).outcome()).isEqualTo(Outcome.UNAVAILABLE);
    }

    @Test
    void aWaitTimeOfZeroIsOneTryAlsoForAStoreThatRefuses() {
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(WANTED.withWaitTime(Duration.ZERO));
        bench.acquire().fails(Effect.REFUSED);
        assertThat(failure(LockUnavailableException.class, lock).outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(bench.store.calls()).hasSize(1);
    }

    @Test
    void nothingIsSentBeforeTheStoreCanBeReached() {
        CompletableFuture<Void> opening = new CompletableFuture<>();
        bench.store.readyWhen(opening);
        CompletableFuture<LockHandle> lock = acquire();
        bench.advanceMillis(800);
        assertThat(bench.store.calls()).isEmpty();
        opening.complete(null);
        assertThat(bench.acquire().sentAt()).isEqualTo(Duration.ofMillis(800));
        bench.acquire().grants(7);
        assertThat(now(lock).remaining()).isGreaterThan(Duration.ofSeconds(29));
    }

    @Test
    void aConnectionThatDoesNotOpenIsWaitedForAsLongAsTheLock() {
        bench.store.readyWhen(new CompletableFuture<>());
        CompletableFuture<LockHandle> lock = acquire();
        bench.advance(Bench.WAIT_TIME.minusMillis(1));
        assertThat(lock).isNotDone();
        bench.advanceMillis(1);
        assertThat(failure(LockUnavailableException.class, lock).outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(bench.store.calls()).isEmpty();
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void aCallWithoutAWaitTimeWaitsOneCommandTimeoutForItsConnection() {
        bench.store.readyWhen(new CompletableFuture<>());
        CompletableFuture<LockHandle> lock = bench.client.acquireAsync(WANTED.withWaitTime(Duration.ZERO));
        bench.advance(Bench.COMMAND_TIMEOUT.minusMillis(1));
        assertThat(lock).isNotDone();
        bench.advanceMillis(1);
        assertThat(failure(LockUnavailableException.class, lock).outcome()).isEqualTo(Outcome.UNAVAILABLE);
        assertThat(bench.store.calls()).isEmpty();
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void aStoreThatDeniesTheUserIsNotAskedAgain() {
        bench.store.readyWhen(CompletableFuture.failedFuture(StoreException.denied("wrong password", null)));
        CompletableFuture<LockHandle> lock = acquire();
        assertThat(failure(LockUnavailableException.class, lock))
                .hasMessageContaining(
                        "wrong password. Nothing was written. Check the user of the lock store, its password")
                .extracting(LockUnavailableException::outcome)
                .isEqualTo(Outcome.UNAVAILABLE);
        assertThat(bench.time.timers()).isZero();
    }

    @Test
    void aStoreThatFailsToConnectIsAskedAgainWithinOneCommandTimeout() {
        bench.store.readyWhen(CompletableFuture.failedFuture(StoreException.notSent("no route", null)));
        CompletableFuture<LockHandle> lock = acquire();
        bench.advanceMillis(500);
        bench.store.readyWhen(CompletableFuture.completedFuture(null));
        bench.advance(Bench.MAX_PAUSE);
        bench.acquire().grants(7);
        assertThat(lock).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    void aStoreThatThrowsInsteadOfConnectingKeepsNoCallerWaiting() {
        CompletableFuture<LockHandle> lock = acquire();
        bench.store.whenAskedToConnect(() -> {
            throw new IllegalStateException("no such host");
        });
        bench.acquire().refuses(LEASE_ENDS);
        bench.advance(Bench.WAIT_TIME.plus(Bench.MAX_PAUSE));
        assertThat(failure(LockUnavailableException.class, lock))
                .hasMessageContaining("no such host")
                .extracting(LockUnavailableException::outcome)
                .isEqualTo(Outcome.UNAVAILABLE);
    }

    @Test
    void whateverTheEndNoTimerIsLeftBehind() {
        CompletableFuture<LockHandle> granted = acquire();
        bench.acquire().grants(7);
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
        now(granted).release();
        CompletableFuture<LockHandle> refused = bench.client.acquireAsync(WANTED.withWaitTime(Duration.ZERO));
        bench.acquire().refuses(LEASE_ENDS);
        assertThat(refused).isCompletedExceptionally();
        bench.advanceToTheLookAtPendingCalls();
        assertThat(bench.time.timers()).isZero();
    }
}
