package io.distributedlock;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Callers of one process that want the same lock: one of them deals with the store, and passes on what it gets. */
class LocalQueueTest {

    private static final LockRequest WANTED = LockRequest.of("42");
    private static final Duration LEASE_ENDS = Duration.ofSeconds(20);

    private final Bench bench = new Bench();
    private final LockClient line = bench.settings().build();
    private final Deque<Runnable> completions = new ArrayDeque<>();

    @AfterEach
    void nobodyIsForgotten() {
        assertThat(line.waiting()).isZero();
    }

    private CompletableFuture<LockHandle> ask() {
        return line.acquireAsync(WANTED);
    }

    private LockHandle holding() {
        CompletableFuture<LockHandle> first = ask();
        bench.acquire().grants(7);
        return now(first);
    }

    private void freeAll() {
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
    }

    @Test
    void onlyTheFirstCallerSendsACommand() {
        CompletableFuture<LockHandle> first = ask();
        CompletableFuture<LockHandle> second = ask();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
        assertThat(line.waiting()).isEqualTo(1);

        freeAll();
        bench.acquire().grants(7);
        now(first).release();
        now(second).release();
    }

    @Test
    void aReleaseHandsTheLockToTheNextCallerWithoutACommand() {
        LockHandle first = holding();
        CompletableFuture<LockHandle> second = ask();
        first.release();
        LockHandle next = now(second);
        assertThat(first.isHeld()).isFalse();
        assertThat(first.state()).isEqualTo(LockState.RELEASED);
        assertThat(next.isHeld()).isTrue();
        assertThat(next.fencingToken()).isEqualTo(first.fencingToken() + 1);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);

        freeAll();
        next.release();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void callersAreServedInTheOrderOfTheirArrival() {
        LockHandle lock = holding();
        List<CompletableFuture<LockHandle>> callers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            callers.add(ask());
        }
        for (int i = 0; i < 5; i++) {
            assertThat(callers).filteredOn(CompletableFuture::isDone).hasSize(i);
            lock.release();
            lock = now(callers.get(i));
        }
        freeAll();
        lock.release();
    }

    @Test
    void whoeverHasWaitedInVainIsInNobodysWayFromThenOn() {
        LockHandle lock = holding();
        List<CompletableFuture<LockHandle>> newcomers = new ArrayList<>();
        CompletableFuture<LockHandle> tooLate = line.acquireAsync(WANTED.withWaitTime(Duration.ofSeconds(1)));
        tooLate.whenComplete((none, refused) -> {
            freeAll();
            lock.release();
            newcomers.add(line.acquireAsync(WANTED.withWaitTime(Duration.ZERO)));
        });
        bench.advance(Duration.ofSeconds(1));
        assertThat(tooLate).isCompletedExceptionally();
        bench.acquire().grants(8);
        now(newcomers.get(0)).release();
    }

    @Test
    void whoeverDoesNotWaitIsRefusedWithoutACommand() {
        LockHandle lock = holding();
        CompletableFuture<LockHandle> refused = line.acquireAsync(WANTED.withWaitTime(Duration.ZERO));
        assertThat(failure(LockNotAcquiredException.class, refused).holderLeaseEndsIn())
                .isPositive();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
        freeAll();
        lock.release();
    }

    @Test
    void otherLocksAreNotAffected() {
        LockHandle lock = holding();
        CompletableFuture<LockHandle> other = line.acquireAsync(LockRequest.of("43"));
        bench.acquire().grants(8);
        freeAll();
        now(other).release();
        lock.release();
    }

    @Test
    void afterItsSliceTheLockGoesBackToTheStoreAndTheNextCallerQueuesRightBehind() {
        LockHandle first = holding();
        CompletableFuture<LockHandle> second = ask();
        bench.advance(Succession.SLICE);
        first.releaseAsync();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE, Verb.ACQUIRE);
        bench.acquire().grants(8);
        freeAll();
        now(second).release();
    }

    @Test
    void aLockWithAnExplicitTtlGoesBackToTheStore() {
        CompletableFuture<LockHandle> first = line.acquireAsync(WANTED.withTtl(Duration.ofSeconds(3)));
        bench.acquire().grants(7);
        CompletableFuture<LockHandle> second = ask();
        now(first).releaseAsync();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE, Verb.ACQUIRE);
        assertThat(second).isNotDone();
        freeAll();
        bench.acquire().grants(8);
        now(second).release();
    }

    @Test
    void whoeverWantsAnExplicitTtlGetsAWholeOneFromTheStore() {
        LockHandle first = holding();
        CompletableFuture<LockHandle> second = line.acquireAsync(WANTED.withTtl(LEASE_ENDS));
        first.releaseAsync();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE, Verb.ACQUIRE);
        freeAll();
        second.cancel(false);
    }

    @Test
    void aLockAtRiskIsNotPassedOn() {
        LockHandle first = holding();
        CompletableFuture<LockHandle> second = ask();
        bench.store.isReachableAgain();
        bench.advance(Duration.ZERO);
        assertThat(first.state()).isEqualTo(LockState.AT_RISK);
        first.releaseAsync();
        assertThat(second).isNotDone();
        assertThat(bench.store.verbs()).contains(Verb.RELEASE);
        freeAll();
        second.cancel(false);
    }

    @Test
    void afterTheLastTurnThatATokenHasRoomForTheStoreIsAskedForANewOne() {
        LockHandle lock = holding();
        for (int turn = 1; turn <= Hold.MAX_TURN; turn++) {
            CompletableFuture<LockHandle> next = ask();
            lock.release();
            lock = now(next);
        }
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
        CompletableFuture<LockHandle> next = ask();
        lock.releaseAsync();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE, Verb.ACQUIRE);
        freeAll();
        next.cancel(false);
    }

    @Test
    void aWaiterIsRefusedAtTheEndOfItsWaitTime() {
        LockHandle lock = holding();
        CompletableFuture<LockHandle> waiting = line.acquireAsync(WANTED.withWaitTime(Duration.ofSeconds(2)));
        bench.advance(Duration.ofSeconds(1));
        assertThat(waiting).isNotDone();
        bench.advance(Duration.ofSeconds(1));
        assertThat(failure(LockNotAcquiredException.class, waiting)).hasMessageContaining("2000 ms");
        freeAll();
        lock.release();
    }

    @Test
    void aWaiterBehindACallerThatTheStoreDoesNotAnswerIsNotToldThatOthersHoldTheLock() {
        CompletableFuture<LockHandle> first = ask();
        CompletableFuture<LockHandle> waiting = line.acquireAsync(WANTED.withWaitTime(Duration.ofMillis(500)));
        bench.advance(Duration.ofMillis(500));
        assertThat(failure(LockUnavailableException.class, waiting).outcome()).isEqualTo(Outcome.UNAVAILABLE);
        freeAll();
        first.cancel(false);
    }

    @Test
    void whoeverHasWaitedLongForAnAnswerFailsWithTheOneInFront() {
        CompletableFuture<LockHandle> first = ask();
        CompletableFuture<LockHandle> second = ask();
        bench.store.always(Verb.ACQUIRE, call -> call.fails(Effect.NOT_SENT));
        bench.advance(Bench.COMMAND_TIMEOUT);
        bench.acquire().fails(Effect.NOT_SENT);
        bench.advance(Bench.COMMAND_TIMEOUT);
        failure(LockUnavailableException.class, first);
        assertThat(failure(LockUnavailableException.class, second).outcome()).isEqualTo(Outcome.UNAVAILABLE);
        freeAll();
    }

    @Test
    void ifTheOneInFrontGivesUpTheNextOneDealsWithTheStore() {
        CompletableFuture<LockHandle> first = ask();
        bench.acquire().refuses(LEASE_ENDS);
        CompletableFuture<LockHandle> second = ask();
        freeAll();
        first.cancel(false);
        ScriptedCall next = bench.acquire();
        assertThat(next.isAnswered()).isFalse();
        next.grants(8);
        now(second).release();
    }

    @Test
    void aCallerThatIsCancelledWhileItWaitsIsSkipped() {
        LockHandle lock = holding();
        CompletableFuture<LockHandle> cancelled = ask();
        CompletableFuture<LockHandle> next = ask();
        cancelled.cancel(false);
        lock.release();
        freeAll();
        now(next).release();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void ifTheLockIsLostTheNextCallerDealsWithTheStoreAtOnce() {
        LockHandle lock = holding();
        CompletableFuture<LockHandle> next = ask();
        lock.extendAsync(Bench.TTL);
        bench.extend().denies();
        assertThat(lock.state()).isEqualTo(LockState.LOST);
        bench.acquire().grants(8);
        freeAll();
        now(next).release();
    }

    @Test
    void closingTheClientFailsWhoeverWaits() {
        LockHandle lock = holding();
        CompletableFuture<LockHandle> waiting = ask();
        freeAll();
        line.close();
        assertThat(failure(LockUnavailableException.class, waiting).outcome()).isEqualTo(Outcome.CLOSED);
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void moreThanTheLimitDoNotWait() {
        LockClient client = bench.settings().maxWaiters(1, 1).build();
        CompletableFuture<LockHandle> first = client.acquireAsync(WANTED);
        bench.acquire().grants(7);
        CompletableFuture<LockHandle> second = client.acquireAsync(WANTED);
        LockUnavailableException third = failure(LockUnavailableException.class, client.acquireAsync(WANTED));
        assertThat(third.outcome()).isEqualTo(Outcome.OVERLOADED);
        assertThat(third).hasMessageContaining("1 callers of this process wait");
        freeAll();
        second.cancel(false);
        now(first).release();
        assertThat(client.waiting()).isZero();
    }

    @Test
    void aLimitThatLetsNobodyWaitIsRefused() {
        assertThatThrownBy(() -> bench.settings().maxWaiters(0, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bench.settings().maxWaiters(10, 9)).isInstanceOf(IllegalArgumentException.class);
    }

    /** A client on which waiters that were woken run only when the test says so. */
    @Test
    void whoseTimeIsOverBehindOneThatWasRefusedIsRefusedToo() {
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(LEASE_ENDS));
        bench.store.always(Verb.RELEASE, ScriptedCall::freesNothing);
        List<CompletableFuture<LockHandle>> callers = List.of(ask(), ask(), ask(), ask());
        bench.advance(Bench.WAIT_TIME.minusNanos(1));
        bench.store.always(Verb.ACQUIRE, call -> {});
        bench.advance(Bench.COMMAND_TIMEOUT.multipliedBy(3));
        assertThat(callers).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(callers.stream().map(caller -> catchThrowable(caller::join).getCause()))
                .filteredOn(LockUnavailableException.class::isInstance)
                .as("the one that had to ask for itself")
                .hasSizeLessThanOrEqualTo(1);
    }

    private LockClient sleepy(boolean barging) {
        return bench.settings().barging(barging).executor(completions::add).build();
    }

    private void wakeAll() {
        while (!completions.isEmpty()) {
            completions.poll().run();
        }
    }

    private LockHandle held(LockClient client) {
        CompletableFuture<LockHandle> lock = client.acquireAsync(WANTED);
        bench.acquire().grants(7);
        wakeAll();
        return now(lock);
    }

    @Test
    void whoeverComesByMayTakeTheLockWhileTheNextOneIsBeingWoken() {
        LockClient client = sleepy(true);
        LockHandle lock = held(client);
        CompletableFuture<LockHandle> waiting = client.acquireAsync(WANTED);
        lock.release();
        LockHandle barged =
                client.tryAcquire(WANTED.withWaitTime(Duration.ZERO)).orElseThrow();
        wakeAll();
        assertThat(waiting).isNotDone();

        barged.release();
        wakeAll();
        freeAll();
        now(waiting).release();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void afterManyWhoCameByTheNextOneIsGivenTheLockDirectly() {
        LockClient client = sleepy(true);
        LockHandle lock = held(client);
        CompletableFuture<LockHandle> waiting = client.acquireAsync(WANTED);
        int barges = 0;
        lock.release();
        while (true) {
            var barged = client.tryAcquire(WANTED.withWaitTime(Duration.ZERO));
            if (barged.isEmpty()) {
                break;
            }
            barges++;
            barged.get().release();
        }
        assertThat(barges).isEqualTo(Line.MAX_BARGES);
        wakeAll();
        freeAll();
        now(waiting).release();
    }

    @Test
    void withBargingOffNobodyOvertakes() {
        LockClient client = sleepy(false);
        LockHandle lock = held(client);
        CompletableFuture<LockHandle> waiting = client.acquireAsync(WANTED);
        lock.release();
        assertThat(client.tryAcquire(WANTED.withWaitTime(Duration.ZERO))).isEmpty();
        wakeAll();
        freeAll();
        now(waiting).release();
    }

    @Test
    void ifTheOneWhoWasWokenGivesUpTheNextOneIsWoken() {
        LockClient client = sleepy(true);
        LockHandle lock = held(client);
        CompletableFuture<LockHandle> first = client.acquireAsync(WANTED);
        CompletableFuture<LockHandle> second = client.acquireAsync(WANTED);
        lock.release();
        first.cancel(false);
        wakeAll();
        freeAll();
        now(second).release();
        assertThat(client.waiting()).isZero();
    }

    @Test
    void ifNobodyWantsWhatLiesOpenAnyMoreItGoesBackToTheStore() {
        LockClient client = sleepy(true);
        LockHandle lock = held(client);
        CompletableFuture<LockHandle> waiting = client.acquireAsync(WANTED);
        lock.release();
        freeAll();
        waiting.cancel(false);
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
        assertThat(client.held()).isEmpty();
    }

    @Test
    void aLockThatIsLostWhileItLiesOpenIsCleanedUpAfterAndTheNextOneAsksTheStore() {
        LockClient client = sleepy(true);
        LockHandle lock = held(client);
        CompletableFuture<LockHandle> waiting = client.acquireAsync(WANTED.withWaitTime(Duration.ofMinutes(5)));
        bench.store.always(Verb.EXTEND, call -> call.fails(Effect.UNKNOWN));
        lock.release();
        assertThat(client.held()).isEmpty();
        freeAll();
        bench.advance(Bench.TTL);
        wakeAll();
        assertThat(bench.store.verbs()).contains(Verb.RELEASE);
        bench.store.calls(Verb.ACQUIRE).get(1).grants(8);
        wakeAll();
        now(waiting).releaseAsync();
        wakeAll();
    }
}
