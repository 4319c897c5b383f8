package io.distributedlock;

import org.jspecify.annotations.Nullable;

/**
 * The lock could not be requested, or the store gave no definite answer. It says nothing about whether another owner
 * holds the lock.
 *
 * <p>Whatever may have been written in the caller's name is taken back as soon as the store can be reached, without the
 * caller's help.
 */
public final class LockUnavailableException extends LockException {

    private static final long serialVersionUID = 1L;

    /** What is known of the store's state. */
    public enum Outcome {
        /** The store refused or was never reached: nothing was written. */
        UNAVAILABLE,
        /** The store may have granted the lock: the clean-up is scheduled. */
        UNKNOWN,
        /** Too many callers of this process wait already; the store was not asked. */
        OVERLOADED,
        /** The lock client was closed, or its application is shutting down. */
        CLOSED
    }

    private final Outcome outcome;

    /** For the tests of applications; the library throws it itself. */
    public LockUnavailableException(LockId id, Outcome outcome, String message, @Nullable Throwable cause) {
        super(id, message, cause);
        this.outcome = outcome;
    }

    public Outcome outcome() {
        return outcome;
    }
}
