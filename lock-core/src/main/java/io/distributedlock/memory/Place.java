package io.distributedlock.memory;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One lock: its holder, and its queue in the order of arrival. For one thread at a time. */
final class Place {

    private final Map<String, Waiter> queue = new LinkedHashMap<>();
    private @Nullable Lease held;

    @Nullable
    Lease heldAt(long now) {
        return held != null && !held.remaining(now).isZero() ? held : null;
    }

    boolean isHeldBy(String owner, long now) {
        Lease current = heldAt(now);
        return current != null && current.owner().equals(owner);
    }

    Lease take(Lease lease) {
        queue.remove(lease.owner());
        held = lease;
        return lease;
    }

    void extend(long until) {
        held = held == null ? null : held.extendedTo(until);
    }

    Waiter enqueue(String owner, Duration ttl, long now, Duration patience) {
        return queue.compute(
                owner,
                (same, waiting) ->
                        waiting == null ? Waiter.arriving(owner, ttl, now, patience) : waiting.refusedAgain(now));
    }

    boolean isQueued(String owner) {
        return queue.containsKey(owner);
    }

    int queued() {
        return queue.size();
    }

    void withdraw(String owner) {
        queue.remove(owner);
    }

    /** Gives the lock to the first claim that still wants it. */
    @Nullable
    Waiter passOn(LongSupplier tokens, long now) {
        held = null;
        Waiter next = next(now);
        if (next != null) {
            held = next.lease(tokens.getAsLong(), now);
        }
        return next;
    }

    private @Nullable Waiter next(long now) {
        Iterator<Waiter> waiting = queue.values().iterator();
        while (waiting.hasNext()) {
            Waiter first = waiting.next();
            waiting.remove();
            if (!first.hasGivenUp(now)) {
                return first;
            }
        }
        return null;
    }

    /** Whether nobody holds this lock and nobody waits for it. */
    boolean isAbandoned(long now) {
        return heldAt(now) == null && queue.values().stream().allMatch(waiter -> waiter.hasGivenUp(now));
    }
}
