package io.distributedlock;

import java.util.concurrent.CompletableFuture;

/** What a call that releases a lock waits for. */
public enum ReleaseMode {

    /**
     * For the store's answer: when the call returns, the lock is free, or the caller learns that it was lost before.
     */
    CONFIRMED,

    /**
     * For nothing: the command is sent, and the call returns. It costs half the time of a short critical section. A
     * lock that turns out to be lost is reported by {@link LockHandle#lost()} and by events, not by the call, unless
     * that was known before. Whatever becomes of the command, the lock does not stay behind: it is cleaned up as after
     * any lost reply. Commands that this client sends for the same lock come after it.
     */
    PIPELINED;

    /** Whether the call waits for this release; what has ended already is not waited for, but reported. */
    public boolean waitsFor(CompletableFuture<?> release) {
        return this == CONFIRMED || release.isDone();
    }
}
