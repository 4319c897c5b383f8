package io.distributedlock.internal.acquire;

import static io.distributedlock.Interleavings.explore;
import static io.distributedlock.Interleavings.require;
import static io.distributedlock.Interleavings.together;

import io.distributedlock.LockException;
import io.distributedlock.LockId;
import io.distributedlock.internal.lease.SingleLockHandle;
import io.distributedlock.internal.support.ExceptionMessages;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lock is released while its next caller arrives, leaves or is served: one of them has it, and then the store. */
@Tag("long")
@Timeout(300)
class LocalQueueInterleavingsTest {

    /** Made here, because a message is formatted in more steps than the rest of a scenario takes. */
    private static final LockException LEFT = ExceptionMessages.closed(LockId.of("42", ""));

    @Test
    void aWaiterThatLeavesDuringAReleaseHasTheLockOrNone() {
        explore(LocalQueueInterleavingsTest::releaseAndLeave);
    }

    private static void releaseAndLeave() {
        StandaloneQueue line = new StandaloneQueue(false);
        SingleLockHandle first = started(line);
        LockWaiter second = line.caller();
        second.start();
        together(first::sendRelease, () -> second.end(LEFT));
        require(second.result().isDone(), "the second call has ended");
        if (hasIt(second.result())) {
            release(second);
        }
        assertNothingIsLeft(line);
    }

    @Test
    void aWokenWaiterThatLeavesWhileItsTurnComesLeavesNoLeaseBehind() {
        explore(LocalQueueInterleavingsTest::turnAndLeave);
    }

    private static void turnAndLeave() {
        StandaloneQueue line = new StandaloneQueue(true);
        SingleLockHandle first = started(line);
        LockWaiter woken = line.caller();
        woken.start();
        first.sendRelease();
        together(line.time::runDue, () -> woken.end(LEFT));
        if (hasIt(woken.result())) {
            release(woken);
        }
        assertNothingIsLeft(line);
    }

    @Test
    void aCallerThatArrivesDuringAReleaseGetsTheLock() {
        explore(LocalQueueInterleavingsTest::releaseAndArrive);
    }

    private static void releaseAndArrive() {
        StandaloneQueue line = new StandaloneQueue(false);
        SingleLockHandle first = started(line);
        LockWaiter second = line.caller();
        together(first::sendRelease, second::start);
        line.time.advance(StandaloneQueue.POLL);
        require(hasIt(second.result()), "the second call has the lock");
        release(second);
        assertNothingIsLeft(line);
    }

    @Test
    void aLeaseThatLiesOpenIsTakenOnce() {
        explore(LocalQueueInterleavingsTest::turnAndBarge);
    }

    private static void turnAndBarge() {
        StandaloneQueue line = new StandaloneQueue(true);
        SingleLockHandle first = started(line);
        LockWaiter woken = line.caller();
        woken.start();
        first.sendRelease();
        LockWaiter quick = line.caller();
        together(line.time::runDue, quick::start);
        require(hasIt(woken.result()) != hasIt(quick.result()), "one of them has the lock");
        boolean wasQuick = hasIt(quick.result());
        release(wasQuick ? quick : woken);
        line.time.runDue();
        release(wasQuick ? woken : quick);
        assertNothingIsLeft(line);
    }

    private static SingleLockHandle started(StandaloneQueue line) {
        LockWaiter first = line.caller();
        first.start();
        return now(first);
    }

    private static void release(LockWaiter holder) {
        now(holder).sendRelease();
    }

    private static SingleLockHandle now(LockWaiter caller) {
        require(hasIt(caller.result()), "the lock is granted");
        SingleLockHandle lock = caller.result().join();
        require(lock.isHeld(), "it is held");
        return lock;
    }

    private static boolean hasIt(CompletableFuture<SingleLockHandle> result) {
        return result.isDone() && !result.isCompletedExceptionally();
    }

    private static void assertNothingIsLeft(StandaloneQueue line) {
        require(line.queue.waiting() == 0, "no call waits");
        require(line.leases.all().isEmpty(), "no lease is watched");
        require(line.store.isFree(), "the store has its lock back");
    }
}
