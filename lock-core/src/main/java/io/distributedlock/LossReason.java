package io.distributedlock;

/** Why a lock ended before its holder released it. */
public enum LossReason {
    /** The store answered that the lock is free or belongs to somebody else. */
    NOT_OWNER(
            "the store does not know this holder any more; the key expired, was deleted, or its data was lost. Look for an administrator's"
                    + " DEL or FLUSHALL, a restart without persistence, eviction, or a failover"),
    /** The lease ran out by the local clock before a renewal was confirmed. */
    DEADLINE(
            "its lease ran out. With an explicit ttl, the work took longer than the ttl: raise it, or leave it out so that the lock is"
                    + " renewed. Without one, no renewal was confirmed in time: look for an unreachable store or a paused process");

    private final String explanation;

    LossReason(String explanation) {
        this.explanation = explanation;
    }

    String explanation() {
        return explanation;
    }
}
