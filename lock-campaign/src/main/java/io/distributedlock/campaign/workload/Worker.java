package io.distributedlock.campaign.workload;

import io.distributedlock.LockHandle;
import io.distributedlock.LockInterruptedException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.SegmentedLock;
import io.distributedlock.SegmentedLock.Segment;
import io.distributedlock.campaign.client.ClientUnderTest;
import io.distributedlock.campaign.client.OwnerObserver;
import io.distributedlock.testkit.history.RecordedCall;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/** One thread that takes locks. It records each answer at the time at which it got it. */
final class Worker {

    private final WorkerGroup workers;
    private final String client;
    private final long id;
    private long operations;

    Worker(WorkerGroup workers, String client, long id) {
        this.workers = workers;
        this.client = client;
        this.id = id;
    }

    /** Takes the lock, works and releases it; or is refused. */
    void run(Operation operation) {
        operations++;
        String once = "once-" + client + "-" + operations;
        if (operation.kind() == LockKind.ANY) {
            SegmentedLock hot = segments(operation);
            RecordedCalls calls = RecordedCalls.invoke(this, operation, hot.beginningAt(once), once);
            acquire(operation, calls, () -> take(hot.acquireAny(once), operation, calls));
        } else {
            List<Integer> positions = operation
                    .kind()
                    .positions(operation.key(), workers.sharedState().contended());
            RecordedCalls calls = RecordedCalls.invoke(this, operation, positions, once);
            acquire(operation, calls, () -> take(operation, calls));
        }
    }

    private SegmentedLock segments(Operation operation) {
        LockRequest whole = operation.request(List.of(SharedState.HOT));
        return new SegmentedLock(
                workers.underTest().client(), whole, workers.sharedState().contended());
    }

    private void acquire(Operation operation, RecordedCalls calls, Supplier<LockedWork> take) {
        OwnerObserver tap = workers.underTest().tap();
        tap.begin(calls.keys(), operation.kind().isShared());
        try {
            acquireAndHold(calls, take, tap);
        } finally {
            tap.end(calls.keys(), operation.kind().isShared());
        }
    }

    private static void acquireAndHold(RecordedCalls calls, Supplier<LockedWork> take, OwnerObserver tap) {
        boolean single = calls.parts().size() == 1;
        LockedWork hold;
        try {
            hold = take.get();
        } catch (LockNotAcquiredException refused) {
            calls.each(call -> call.heldByOther(single ? tap.hash() : ""));
            return;
        } catch (LockUnavailableException unanswered) {
            calls.each(call -> record(call, unanswered, single ? tap.hash() : ""));
            return;
        } catch (LockInterruptedException | CancellationException withdrawn) {
            calls.each(call -> call.interrupted(single ? tap.hash() : ""));
            return;
        }
        hold.run();
    }

    private LockedWork take(Operation operation, RecordedCalls calls) {
        ClientUnderTest underTest = workers.underTest();
        LockHandle lock = operation.acquireStyle().acquire(underTest.client(), operation.request(calls.keys()));
        RecordedCalls granted = calls.parts().size() == 1
                ? calls.granted(lock, underTest.tap().hash(lock, operation.isFenced()), operation.isFenced())
                : calls.grantedAll(lock, underTest.tap(), operation.isFenced());
        return new LockedWork(this, granted, underTest.seen(lock), operation);
    }

    private LockedWork take(Segment segment, Operation operation, RecordedCalls calls) {
        RecordedCalls granted = calls.grantedOne(
                segment.lock(), segment.number(), workers.underTest().tap(), operation.isFenced());
        return new LockedWork(this, granted, workers.underTest().seen(segment.lock()), operation);
    }

    private static void record(RecordedCall call, LockUnavailableException unanswered, String owner) {
        switch (unanswered.outcome()) {
            case UNKNOWN -> call.unknown(owner);
            case UNAVAILABLE -> call.unavailable(owner);
            case CLOSED, OVERLOADED -> throw unanswered;
        }
    }

    WorkerGroup workers() {
        return workers;
    }

    String client() {
        return client;
    }

    long id() {
        return id;
    }
}
