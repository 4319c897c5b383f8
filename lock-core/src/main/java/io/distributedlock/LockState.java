package io.distributedlock;

/** Where a lock is in its life. {@link #RELEASED} and {@link #LOST} are final: nothing leads back. */
public enum LockState {
    /** The lock is held, and as far as this process knows it will stay so. */
    HELD,
    /**
     * The lock is still held, but whether it will stay so is in doubt: a renewal has failed or comes late, or the store
     * was away. It is {@link #HELD} again once the store has confirmed it, or {@link #LOST} before its lease ends.
     */
    AT_RISK,
    /**
     * The holder has released it. If the store's answer shows that it had been taken away before, it is {@link #LOST}
     * after all.
     */
    RELEASED,
    /** It ended before its holder released it. */
    LOST
}
