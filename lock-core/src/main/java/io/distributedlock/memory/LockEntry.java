package io.distributedlock.memory;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockListing.WaitingClaim;
import io.distributedlock.spi.Release.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One lock: its holder, or those who share it, and its queue in the order of arrival. For one thread at a time. */
final class LockEntry {

    private final Map<String, Waiter> queue = new LinkedHashMap<>();
    private final Map<String, Lease> held = new LinkedHashMap<>();
    private boolean shared;

    private void forgetExpired(long now) {
        held.values().removeIf(lease -> lease.remaining(now).isZero());
    }

    /** What this owner holds of it. */
    @Nullable
    Lease heldBy(String owner, long now) {
        forgetExpired(now);
        return held.get(owner);
    }

    /** Everybody who holds it. */
    List<String> holders(long now) {
        forgetExpired(now);
        return List.copyOf(held.keySet());
    }

    boolean isShared() {
        return shared;
    }

    /** When it is free at the latest unless a lease is extended. */
    Duration longest(long now) {
        return held.values().stream()
                .map(lease -> lease.remaining(now))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Whether a claim that comes now gets it. */
    boolean admits(Claim claim, long now) {
        forgetExpired(now);
        return held.isEmpty() || (shared && claim.isShared() && !isAwaitedAlone(now));
    }

    private boolean isAwaitedAlone(long now) {
        return queue.values().stream().anyMatch(waiter -> !waiter.claim().isShared() && !waiter.hasGivenUp(now));
    }

    void take(Claim claim, Lease lease) {
        queue.remove(claim.owner());
        shared = claim.isShared();
        held.put(claim.owner(), lease);
    }

    /** Returns what is left of the lease then; zero if there is none. */
    Duration extend(String owner, long now, long until) {
        forgetExpired(now);
        Lease extended = held.computeIfPresent(owner, (same, lease) -> lease.extendedTo(until));
        return extended == null ? Duration.ZERO : extended.remaining(now);
    }

    /** Returns whether there was anything to keep. */
    boolean keep(String owner, long now, long until) {
        Lease lease = heldBy(owner, now);
        if (lease != null) {
            held.put(owner, new Lease(lease.token(), until));
        }
        return lease != null;
    }

    /** Returns whether the owner had anything that the other one has now. */
    boolean replace(String owner, String other, long now, long until) {
        Lease lease = heldBy(owner, now);
        if (lease != null) {
            held.remove(owner);
            held.put(other, new Lease(lease.token(), until));
        }
        return lease != null;
    }

    Waiter enqueue(Claim claim, Duration ttl, long now, Duration patience) {
        return queue.compute(
                claim.owner(),
                (same, waiting) ->
                        waiting == null ? Waiter.arriving(claim, ttl, now, patience) : waiting.refusedAgain(now));
    }

    boolean isQueued(String owner) {
        return queue.containsKey(owner);
    }

    int queued() {
        return queue.size();
    }

    /** The first claims that wait, in their order. */
    List<WaitingClaim> waiting(long now) {
        return queue.values().stream()
                .filter(waiter -> !waiter.hasGivenUp(now))
                .limit(LockListing.MAX_WAITERS)
                .map(waiter -> new WaitingClaim(waiter.claim().owner(), Duration.ofNanos(now - waiter.since())))
                .toList();
    }

    /** The owner releases what it holds, and waits no more. Returns whether it held anything. */
    Outcome release(String owner, long now) {
        forgetExpired(now);
        queue.remove(owner);
        if (held.remove(owner) != null) {
            return Outcome.RELEASED;
        }
        return held.isEmpty() ? Outcome.ABSENT : Outcome.NOT_OWNER;
    }

    /**
     * Gives it to the first claim that still wants it, and if that one shares it, to all up to the next that does not;
     * each with its lease.
     */
    List<Grant> passOn(LongSupplier tokens, long now) {
        List<Grant> grants = new ArrayList<>();
        Iterator<Waiter> waiting = queue.values().iterator();
        while (waiting.hasNext()) {
            Waiter first = waiting.next();
            if (first.hasGivenUp(now)) {
                waiting.remove();
            } else if (held.isEmpty() || (shared && first.claim().isShared())) {
                waiting.remove();
                shared = first.claim().isShared();
                Lease lease = first.lease(tokens.getAsLong(), now);
                held.put(first.claim().owner(), lease);
                grants.add(new Grant(first, lease));
            } else {
                break;
            }
        }
        return grants;
    }

    /** What a waiter was given. */
    record Grant(Waiter waiter, Lease lease) {}

    /** Whether this lock has neither holder nor waiter. */
    boolean isAbandoned(long now) {
        forgetExpired(now);
        return held.isEmpty() && queue.values().stream().allMatch(waiter -> waiter.hasGivenUp(now));
    }
}
