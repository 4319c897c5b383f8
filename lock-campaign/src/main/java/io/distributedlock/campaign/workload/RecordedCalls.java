package io.distributedlock.campaign.workload;

import io.distributedlock.LockHandle;
import io.distributedlock.campaign.client.OwnerObserver;
import io.distributedlock.testkit.history.CallTerms;
import io.distributedlock.testkit.history.RecordedCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The recorded calls of one wish: one for a lock alone, or one for each lock that is wanted together with others or
 * instead of them.
 */
record RecordedCalls(List<Part> parts) {

    /** What each further lock may take in addition: two command timeouts of the slowest setting. */
    private static final Duration FOR_EACH_MORE = Duration.ofMillis(600);

    /**
     * One of the locks.
     *
     * @param position of the key among those of the sharedState, or {@link Operation#ONCE}
     * @param token the fencing token, 0 as long as there is none
     */
    record Part(RecordedCall call, String key, int position, long token) {

        private Part granted(LockHandle lock, String owner, boolean fenced) {
            long drawn = fenced ? lock.fencingToken() : 0;
            call.granted(drawn, owner);
            return new Part(call, key, position, drawn);
        }
    }

    /** @param once the name of a key that is used once, and of what the calls have in common */
    static RecordedCalls invoke(Worker worker, Operation operation, List<Integer> positions, String once) {
        CallTerms terms = operation.kind().terms(once);
        Duration waitTime = operation.waitTime().plus(FOR_EACH_MORE.multipliedBy(positions.size() - 1L));
        List<Part> parts = new ArrayList<>();
        for (int position : positions) {
            String key = position == Operation.ONCE
                    ? once
                    : worker.workers().sharedState().key(position);
            RecordedCall call = RecordedCall.invoke(worker.workers().sink(), worker.client(), key, waitTime, terms);
            parts.add(new Part(call, key, position, 0));
        }
        return new RecordedCalls(parts);
    }

    List<String> keys() {
        return parts.stream().map(Part::key).toList();
    }

    void each(Consumer<RecordedCall> step) {
        parts.forEach(part -> step.accept(part.call()));
    }

    /** The lock was granted, by this owner. */
    RecordedCalls granted(LockHandle lock, String owner, boolean fenced) {
        return new RecordedCalls(List.of(parts.get(0).granted(lock, owner, fenced)));
    }

    /** All locks were granted; what a handle does not have is left without an answer, which the check finds. */
    RecordedCalls grantedAll(LockHandle joint, OwnerObserver tap, boolean fenced) {
        List<Part> granted = new ArrayList<>();
        for (LockHandle lock : joint.parts()) {
            parts.stream()
                    .filter(part -> part.key().equals(lock.key()))
                    .forEach(part -> granted.add(part.granted(lock, tap.hashOfGrant(lock, fenced), fenced)));
        }
        return new RecordedCalls(granted);
    }

    /**
     * The lock at this position was granted; those that had been asked for before it, in the order of the parts, were
     * not.
     */
    RecordedCalls grantedOne(LockHandle lock, int position, OwnerObserver tap, boolean fenced) {
        RecordedCalls granted = this;
        for (Part part : parts) {
            if (part.position() == position) {
                granted = new RecordedCalls(List.of(part.granted(lock, tap.hashOfGrant(lock, fenced), fenced)));
            } else if (granted == this) {
                part.call().heldByOther("");
            } else {
                part.call().notAsked();
            }
        }
        return granted;
    }
}
