package io.distributedlock.campaign;

import io.distributedlock.LockHandle;
import io.distributedlock.LockInterruptedException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.SegmentedLock;
import io.distributedlock.SegmentedLock.Segment;
import io.distributedlock.testkit.history.RecordedCall;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/** One thread that takes locks. It records what it was told, at the time when it was told. */
final class Worker {

    private final Party party;
    private final String client;
    private final long id;
    private long operations;

    Worker(Party party, String client, long id) {
        this.party = party;
        this.client = client;
        this.id = id;
    }

    /** Takes the lock, works and lets go; or is refused. */
    void run(Operation operation) {
        operations++;
        String once = "once-" + client + "-" + operations;
        if (operation.kind() == Kind.ANY) {
            SegmentedLock hot = segments(operation);
            Calls calls = Calls.invoke(this, operation, hot.beginningAt(once), once);
            acquire(operation, calls, () -> take(hot.acquireAny(once), operation, calls));
        } else {
            List<Integer> positions =
                    operation.kind().positions(operation.key(), party.arena().contended());
            Calls calls = Calls.invoke(this, operation, positions, once);
            acquire(operation, calls, () -> take(operation, calls));
        }
    }

    private SegmentedLock segments(Operation operation) {
        LockRequest whole = operation.request(List.of(Arena.HOT));
        return new SegmentedLock(party.subject().client(), whole, party.arena().contended());
    }

    private void acquire(Operation operation, Calls calls, Supplier<Hold> take) {
        OwnerTap tap = party.subject().tap();
        tap.begin(calls.keys(), operation.kind().isShared());
        try {
            acquireAndHold(calls, take, tap);
        } finally {
            tap.end(calls.keys(), operation.kind().isShared());
        }
    }

    private static void acquireAndHold(Calls calls, Supplier<Hold> take, OwnerTap tap) {
        boolean single = calls.parts().size() == 1;
        Hold hold;
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

    private Hold take(Operation operation, Calls calls) {
        Subject subject = party.subject();
        LockHandle lock = operation.approach().acquire(subject.client(), operation.request(calls.keys()));
        Calls granted = calls.parts().size() == 1
                ? calls.granted(lock, subject.tap().hash(lock))
                : calls.grantedAll(lock, subject.tap());
        return new Hold(this, granted, subject.seen(lock), operation);
    }

    private Hold take(Segment segment, Operation operation, Calls calls) {
        Calls granted = calls.grantedOne(
                segment.lock(), segment.number(), party.subject().tap());
        return new Hold(this, granted, party.subject().seen(segment.lock()), operation);
    }

    private static void record(RecordedCall call, LockUnavailableException unanswered, String owner) {
        switch (unanswered.outcome()) {
            case UNKNOWN -> call.unknown(owner);
            case UNAVAILABLE -> call.unavailable(owner);
            case CLOSED, OVERLOADED -> throw unanswered;
        }
    }

    Party party() {
        return party;
    }

    String client() {
        return client;
    }

    long id() {
        return id;
    }
}
