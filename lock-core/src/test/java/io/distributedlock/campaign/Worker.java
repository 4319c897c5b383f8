package io.distributedlock.campaign;

import io.distributedlock.LockHandle;
import io.distributedlock.LockInterruptedException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.testkit.history.RecordedCall;
import java.util.Optional;
import java.util.concurrent.CancellationException;

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
        String key = operation.isShared() ? party.arena().key(operation.key()) : "once-" + client + "-" + operations;
        RecordedCall call = RecordedCall.invoke(party.sink(), client, key, operation.waitTime());
        acquire(operation, key, call).ifPresent(lock -> new Hold(this, call, lock, operation, key).run());
    }

    private Optional<LockHandle> acquire(Operation operation, String key, RecordedCall call) {
        Subject subject = party.subject();
        OwnerTap tap = subject.tap();
        tap.begin();
        try {
            LockHandle lock = operation.approach().acquire(subject.client(), operation.request(key));
            call.granted(lock.fencingToken(), tap.hash(lock));
            return Optional.of(subject.seen(lock));
        } catch (LockNotAcquiredException refused) {
            call.heldByOther(tap.hash());
        } catch (LockUnavailableException unanswered) {
            record(call, unanswered, tap.hash());
        } catch (LockInterruptedException | CancellationException withdrawn) {
            call.interrupted(tap.hash());
        }
        return Optional.empty();
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
