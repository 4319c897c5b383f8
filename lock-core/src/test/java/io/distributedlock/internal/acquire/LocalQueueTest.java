package io.distributedlock.internal.acquire;

import static io.distributedlock.Bench.failure;
import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.LossReason;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.client.DefaultLockClient;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Callers of one process that want the same lock: one of them deals with the store, and passes on what it gets. */
class LocalQueueTest extends WaitQueueTest {

    private static final int MANY = 5_000;

    @Test
    void onlyTheFirstCallerSendsACommand() {
        CompletableFuture<LockHandle> first = ask();
        CompletableFuture<LockHandle> second = ask();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
        assertThat(line.waiting()).isEqualTo(1);

        freeAll();
        bench.acquire().grants(7);
        now(first).release();
        bench.time.runDue();
        now(second).release();
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
            bench.time.runDue();
            lock = now(callers.get(i));
        }
        freeAll();
        lock.release();
    }

    @Test
    void theCallerThatHasWaitedInVainIsInNoCallersWayFromThenOn() {
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
    void theCallerThatDoesNotWaitIsRefusedWithoutACommand() {
        LockHandle lock = holding();
        CompletableFuture<LockHandle> refused = line.acquireAsync(WANTED.withWaitTime(Duration.ZERO));
        assertThat(failure(LockNotAcquiredException.class, refused).holderLeaseEndsIn())
                .isPositive();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
        freeAll();
        lock.release();
    }

    /** A turn that began inside of the one before it would fill the stack. */
    @Test
    void aLockThatManyWantedWhileTheStoreFailedAtOnceCanBeHadAgain() {
        bench.store.always(Verb.ACQUIRE, call -> call.fails(Effect.NOT_SENT));
        List<CompletableFuture<LockHandle>> callers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            callers.add(line.acquireAsync(WANTED.withWaitTime(Duration.ofMillis(500))));
        }
        bench.time.pause(Duration.ofMillis(600));
        bench.advance(Bench.COMMAND_TIMEOUT);
        assertThat(callers).allMatch(CompletableFuture::isCompletedExceptionally);
        bench.store.always(Verb.ACQUIRE, call -> call.grants(9));
        freeAll();
        now(line.acquireAsync(WANTED.withWaitTime(Duration.ZERO))).release();
    }

    @Test
    void manyCallersThatReleaseWhereTheirFuturesCompleteAllHaveTheirTurn() {
        LockClient client = bench.settings().barging(false).build();
        bench.store.always(Verb.ACQUIRE, call -> call.grants(7));
        freeAll();
        LockHandle lock = now(client.acquireAsync(WANTED));
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            callers.add(client.acquireAsync(WANTED).thenAccept(LockHandle::release));
        }
        lock.release();
        assertThat(callers).allSatisfy(caller -> assertThat(caller).isCompleted());
    }

    @Test
    void aLeaseThatIsOverKeepsNoCallerFromTheLockAlsoIfNoTimerHasRun() {
        LockHandle lock = holding();
        bench.time.pause(Bench.TTL);
        CompletableFuture<LockHandle> next = ask();
        bench.acquire().grants(8);
        assertThat(lock.lost()).isCompletedWithValue(LossReason.DEADLINE);
        freeAll();
        now(next).release();
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
        bench.advance(Bench.COMMAND_TIMEOUT);
        assertThat(failure(LockUnavailableException.class, waiting).outcome()).isEqualTo(Outcome.UNAVAILABLE);
        freeAll();
        first.cancel(false);
    }

    @Test
    void theCallerThatHasWaitedLongForAnAnswerFailsWithTheOneInFront() {
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
        bench.time.runDue();
        freeAll();
        now(next).release();
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE);
    }

    @Test
    void closingTheClientFailsTheCallerThatWaits() {
        LockHandle lock = holding();
        CompletableFuture<LockHandle> waiting = ask();
        freeAll();
        line.close();
        assertThat(failure(LockUnavailableException.class, waiting).outcome()).isEqualTo(Outcome.CLOSED);
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    void moreThanTheLimitDoNotWait() {
        DefaultLockClient client = bench.settings().maxWaiters(1, 1).build();
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
    void oneThatWantsAShareCountsAsWaitingFromItsFirstRefusal() {
        DefaultLockClient client = bench.settings().maxWaiters(2, 2).build();
        LockRequest share = WANTED.shared();
        CompletableFuture<LockHandle> granted = client.acquireAsync(share);
        assertThat(client.waiting()).isZero();
        bench.acquire().grants(7);
        CompletableFuture<LockHandle> first = client.acquireAsync(share);
        ScriptedCall firstTry = bench.acquire();
        firstTry.refuses(LEASE_ENDS);
        CompletableFuture<LockHandle> second = client.acquireAsync(share);
        bench.acquire().queues(LEASE_ENDS);
        assertThat(client.waiting()).isEqualTo(2);
        freeAll();
        CompletableFuture<LockHandle> third = client.acquireAsync(share);
        bench.acquire().queues(LEASE_ENDS);
        assertThat(failure(LockUnavailableException.class, third).outcome()).isEqualTo(Outcome.OVERLOADED);
        assertThat(bench.store.calls(Verb.RELEASE)).as("the third is withdrawn").hasSize(1);
        CompletableFuture<LockHandle> another = client.acquireAsync(share);
        bench.acquire().grants(8);
        assertThat(now(another).isHeld()).isTrue();

        second.cancel(false);
        assertThat(client.waiting()).isEqualTo(1);
        bench.store.always(Verb.ACQUIRE, call -> call.grants(9));
        bench.advance(Bench.POLL);
        assertThat(now(first).isHeld()).isTrue();
        assertThat(client.waiting()).isZero();
        assertThat(now(granted).isHeld()).isTrue();
    }

    @Test
    void aLimitThatLetsNoCallerWaitIsRefused() {
        assertThatThrownBy(() -> bench.settings().maxWaiters(0, 10)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bench.settings().maxWaiters(10, 9)).isInstanceOf(IllegalArgumentException.class);
    }

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

    @Test
    void aLockThatIsReleasedHereAtTheEndOfAWaitIsGiven() {
        LockHandle lock = holding();
        CompletableFuture<LockHandle> waiting = line.acquireAsync(WANTED.withWaitTime(Duration.ofSeconds(1)));
        freeAll();
        bench.advanceMillis(995);
        lock.release();
        bench.acquire().grants(8);
        now(waiting).release();
    }

    /** Each that took the lead would leave the store's queue again at once, with two commands. */
    @Test
    void ofManyWhoseTimeEndsSoonOneThatStaysForAWhileTakesTheLead() {
        bench.store.always(Verb.ACQUIRE, call -> call.refuses(LEASE_ENDS));
        bench.store.always(Verb.RELEASE, ScriptedCall::freesNothing);
        List<CompletableFuture<LockHandle>> callers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            callers.add(ask());
            bench.advanceMillis(30);
        }
        bench.advance(Bench.WAIT_TIME);
        assertThat(callers).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(bench.store.calls(Verb.ACQUIRE).stream()
                        .map(ScriptedCall::claim)
                        .distinct())
                .as("the first one, and one of those who stay for a while after it")
                .hasSize(2);
    }
}
