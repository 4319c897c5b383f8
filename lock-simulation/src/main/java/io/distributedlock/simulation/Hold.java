package io.distributedlock.simulation;

import io.distributedlock.internal.lease.SingleLockHandle;

/** A lock that a caller was granted, until its release begins. */
final class Hold {

    private static final long NEVER = Long.MAX_VALUE;

    private final Client client;
    private final SingleLockHandle handle;
    private final long ttlNanos;
    private final long since;
    private boolean signalled;
    private long deniedAt = NEVER;

    /** @param since when its owner was granted the lock for the first time */
    Hold(Client client, SingleLockHandle handle, long ttlNanos, long since) {
        this.client = client;
        this.handle = handle;
        this.ttlNanos = ttlNanos;
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

    /** Whether its lease is over by the monotonic clock of its process. */
    boolean isOverdue() {
        return handle.hold().heldLease().isOverdue();
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
