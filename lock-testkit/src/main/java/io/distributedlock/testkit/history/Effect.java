package io.distributedlock.testkit.history;

/** What a fault excuses. A fault with none of these disturbs the traffic and excuses delay only while it lasts. */
public enum Effect {
    /** The server, or the way to it, could not be used between begin and end. */
    SERVER_UNREACHABLE,
    /**
     * The server may have forgotten, resurrected or prolonged locks: flush, restart, eviction, failover, clock step.
     */
    STATE_DESTROYED,
    /** Requests were kept and may have reached the server at the end, after their callers had given up. */
    REQUESTS_LATE,
    /** The client's whole process stood still between begin and end. */
    CLIENT_PAUSED
}
