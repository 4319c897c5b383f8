package io.distributedlock.simulation;

import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.SingleLockHandle;

/** A lock that a caller was granted, until its release begins. */
final class Hold {

    private static final long NEVER = Long.MAX_VALUE;
    private static final long TIMERS_NANOS = 1_000_000;

    private final Client client;
    private final SingleLockHandle handle;
    private final long ttlNanos;
    private final long asked;
    private final long since;
    private boolean signalled;
    private long deniedAt = NEVER;

    /**
     * @param asked when its call began
     * @param since when its owner was granted the lock for the first time
     */
    Hold(Client client, SingleLockHandle handle, long ttlNanos, long asked, long since) {
        this.client = client;
        this.handle = handle;
        this.ttlNanos = ttlNanos;
        this.asked = asked;
        this.since = since;
        handle.lost().thenAccept(reason -> signalled = true);
    }

    Client client() {
        return client;
    }

    SingleLockHandle handle() {
        return handle;
    }

    String id() {
        return handle.hold().id().encoded();
    }

    String owner() {
        return handle.hold().heldLease().claim().owner();
    }

    long ttlNanos() {
        return ttlNanos;
    }

    long asked() {
        return asked;
    }

    long since() {
        return since;
    }

    /** Whether it was notified of its loss. */
    boolean isSignalled() {
        return signalled;
    }

    /** Its process was asked at {@code now}, and said that it does not hold the lock. Returns when it first said so. */
    long denied(long now) {
        deniedAt = Math.min(deniedAt, now);
        return deniedAt;
    }

    /** Whether its process knows that the lease is over, or could: of several timers at one instant, one is last. */
    boolean isKnownToBeOver() {
        HeldLease lease = handle.hold().heldLease();
        return lease.isOver() || client.process().now() - lease.safeUntil() > TIMERS_NANOS;
    }

    /** Whether its process runs and believes that it has the lock. */
    boolean isBelieved() {
        return !client.isStill() && handle.isHeld();
    }

    @Override
    public String toString() {
        return handle + " of " + owner();
    }
}
