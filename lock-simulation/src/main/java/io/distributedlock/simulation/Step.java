package io.distributedlock.simulation;

/** What happens in a run at an instant. */
sealed interface Step {

    /** Microseconds from the begin of the run. */
    long at();

    /** A caller wants a lock, works under it, and releases it. */
    record Call(
            long at,
            int client,
            int key,
            Kind kind,
            int waitMillis,
            int workMicros,
            int cancelledAfterMillis,
            int extendedAfterMillis)
            implements Step {}

    /** What a caller asks for. */
    enum Kind {
        PLAIN,
        SHORT_TTL,
        LONG_TTL,
        MIN_HOLD,
        MAX_HOLD,
        FENCED,
        SHARED
    }

    /** Something fails. */
    record Disturbance(long at, Fault fault, int client, int millis) implements Step {}

    /** What can fail. */
    enum Fault {
        CUT,
        BLOCK,
        REPLIES_LATE,
        REQUESTS_LATE,
        STALL,
        RESTART,
        RESTART_EMPTY,
        REPLICATION_STOPS,
        FAILOVER,
        CLOCK_FORWARD,
        CLOCK_BACK,
        PAUSE,
        SLEEP,
        KILL
    }
}
