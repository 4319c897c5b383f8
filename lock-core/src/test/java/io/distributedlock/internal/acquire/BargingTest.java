package io.distributedlock.internal.acquire;

import static io.distributedlock.Bench.now;
import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.Bench;
import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockId;
import io.distributedlock.LockMode;
import io.distributedlock.LockRequest;
import io.distributedlock.ScriptedCall;
import io.distributedlock.ScriptedCall.Verb;
import io.distributedlock.internal.client.DefaultLockClient;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.lease.ResolvedRequest;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A lock lies open while the next in line is being woken: who comes by may take it, and no caller is overtaken for ever. */
class BargingTest {

    private static final LockRequest WANTED = LockRequest.of("42");

    private final Bench bench = new Bench();
    private final Deque<Runnable> completions = new ArrayDeque<>();

    private void freeAll() {
        bench.store.always(Verb.RELEASE, ScriptedCall::frees);
    }

    /** A client on which waiters that were woken run only when the test says so. */
    private DefaultLockClient sleepy(boolean barging) {
        return bench.settings().barging(barging).executor(completions::add).build();
    }

    private void wakeAll() {
        bench.time.runDue();
        while (!completions.isEmpty()) {
            completions.poll().run();
            bench.time.runDue();
        }
    }

    private LockHandle held(LockClient client) {
        CompletableFuture<LockHandle> lock = client.acquireAsync(WANTED);
        bench.acquire().grants(7);
        wakeAll();
        return now(lock);
    }

    @Test
    void theCallerThatComesByMayTakeTheLockWhileTheNextOneIsBeingWoken() {
        DefaultLockClient client = sleepy(true);
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
        DefaultLockClient client = sleepy(true);
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
        assertThat(barges).isEqualTo(WaitQueue.MAX_BARGES);
        wakeAll();
        freeAll();
        now(waiting).release();
    }

    @Test
    void withBargingOffNoCallerOvertakes() {
        DefaultLockClient client = sleepy(false);
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
        DefaultLockClient client = sleepy(true);
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
    void ifNoCallerWantsWhatLiesOpenAnyMoreItGoesBackToTheStore() {
        DefaultLockClient client = sleepy(true);
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
        DefaultLockClient client = sleepy(true);
        LockHandle lock = held(client);
        CompletableFuture<LockHandle> waiting = client.acquireAsync(WANTED.withWaitTime(Duration.ofMinutes(5)));
        bench.store.always(Verb.EXTEND, call -> call.fails(Effect.UNKNOWN));
        lock.release();
        assertThat(client.held()).isEmpty();
        freeAll();
        bench.time.pause(Bench.TTL);
        wakeAll();
        assertThat(bench.store.verbs()).contains(Verb.RELEASE);
        bench.store.calls(Verb.ACQUIRE).get(1).grants(8);
        wakeAll();
        now(waiting).releaseAsync();
        wakeAll();
    }

    /** A waiter whose thread has been woken and does not run. */
    private LockWaiter stuck() {
        LeaseTerms lease = new LeaseTerms(Bench.TTL, true, null, Bench.COMMAND_TIMEOUT);
        ResolvedRequest terms = new ResolvedRequest(
                LockId.of(WANTED.name(), WANTED.key()), LockMode.EXCLUSIVE, lease, Bench.WAIT_TIME, false);
        return bench.client.engine().acquire(terms, new Thread(() -> {}));
    }

    @Test
    void aWaiterWhoseThreadDoesNotRunKeepsNoCallerFromTheLock() {
        LockHandle lock = bench.held(WANTED);
        LockWaiter stuck = stuck();
        CompletableFuture<LockHandle> next = bench.client.acquireAsync(WANTED);
        lock.releaseAsync();
        bench.advance(LocalQueue.OPEN_LIMIT.minusNanos(1));
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE);
        freeAll();
        bench.advance(Duration.ofNanos(1));
        assertThat(bench.store.verbs()).containsExactly(Verb.ACQUIRE, Verb.RELEASE, Verb.ACQUIRE);
        bench.acquire().grants(8);
        assertThat(now(next).isHeld()).isTrue();
        assertThat(stuck.result()).isNotDone();

        now(next).releaseAsync();
        bench.advance(LocalQueue.OPEN_LIMIT);
        bench.acquire().grants(9);
        assertThat(now(stuck.result()).isHeld()).isTrue();
        now(stuck.result()).releaseAsync();
        assertThat(bench.client.waiting()).isZero();
    }

    @Test
    void oneTimerLimitsForHowLongALeaseLiesOpenHoweverOftenItDoes() {
        DefaultLockClient client = sleepy(true);
        LockHandle lock = held(client);
        CompletableFuture<LockHandle> waiting = client.acquireAsync(WANTED);
        lock.release();
        int timers = bench.time.timers();
        for (int i = 0; i < WaitQueue.MAX_BARGES; i++) {
            client.tryAcquire(WANTED.withWaitTime(Duration.ZERO)).orElseThrow().release();
        }
        assertThat(bench.time.timers()).isLessThanOrEqualTo(timers + WaitQueue.MAX_BARGES);
        wakeAll();
        now(waiting).releaseAsync();
        freeAll();
    }
}
