package io.distributedlock;

/** Why a lock ended before its holder released it. */
public enum LossReason {
    /** The store answered that the lock belongs to another owner, or that this holder does not hold it any more. */
    NOT_OWNER("the store does not know this holder any more; the key expired, was deleted, or its data was lost. Look"
            + " for an administrator's DEL or FLUSHALL, a restart without persistence, eviction, or a failover"),
    /** The store found no holder at all when the lock was released. */
    ABSENT("its key was gone when it was released, and no other owner held it. Look for an administrator's DEL or"
            + " FLUSHALL, a restart without persistence, eviction, or a failover"),
    /** The lease ran out by the local clock before a renewal was confirmed. */
    DEADLINE("its lease ran out. With an explicit ttl, the work took longer than the ttl: raise it, or leave it out"
            + " so that the lock is"
            + " renewed. Without one, no renewal was confirmed in time: look for an unreachable store or a"
            + " paused process"),
    /** It was held for as long as it may be held at most. */
    MAX_HOLD("it was held for the longest time that is allowed, its max-hold. Look for a holder that hangs, or raise"
            + " the limit for this lock"),
    /** The thread that held it has ended, or its handle was dropped, so that no code could release it. */
    HOLDER_GONE(
            "its holder is gone without a release: the thread that acquired it has ended, or its handle was dropped."
                    + " Release it in a finally"
                    + " block, and call unbind() on a handle that is meant for another thread"),
    /**
     * It was taken away on purpose, through {@link LockMonitor#forceRelease}. If another process did that, the reason
     * is {@link #NOT_OWNER} where no message about it arrives, or a renewal is answered before it does.
     */
    FORCED("it was taken away by force, by an operator. The log and the audit" + " events say who"),
    /** The lock client was shut down while it was held. */
    CLOSED("the lock client was closed, or its application shut down, before the work under the lock was done");

    private final String explanation;

    LossReason(String explanation) {
        this.explanation = explanation;
    }

    String explanation() {
        return explanation;
    }
}
