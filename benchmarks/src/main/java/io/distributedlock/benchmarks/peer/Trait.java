package io.distributedlock.benchmarks.peer;

/** What a peer is good for; a scenario asks for some of these. */
public enum Trait {
    /** Can take a free lock in Redis. */
    FREE,
    /** Can wait for a lock that another thread of the same client holds. */
    LOCAL,
    /** Can wait for a lock that another process holds. */
    SHARED,
    /** Its waiters are woken rather than asking again from time to time. */
    WOKEN
}
