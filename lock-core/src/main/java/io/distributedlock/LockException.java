package io.distributedlock;

import org.jspecify.annotations.Nullable;

/**
 * The root of everything that a lock call can throw besides what reports a mistake in the program, such as {@link
 * IllegalArgumentException}: one subtype for each reaction that a caller can have.
 *
 * <p>{@link LockNotAcquiredException}: another owner holds the lock, so do something else or try later. {@link
 * LockUnavailableException}: the store could not be asked or did not answer, so nothing is known about other holders.
 * {@link LockLostException}: the work ran, at least in part, without its lock. {@link LockInterruptedException}: the
 * waiting thread was asked to stop.
 */
public abstract sealed class LockException extends RuntimeException
        permits LockInterruptedException, LockLostException, LockNotAcquiredException, LockUnavailableException {

    private static final long serialVersionUID = 1L;

    private final String lockName;
    private final String lockKey;

    LockException(LockId id, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.lockName = id.name();
        this.lockKey = id.key();
    }

    /** The static part of the lock's identity. */
    public String lockName() {
        return lockName;
    }

    /** The variable part of the lock's identity, as the caller gave it; it may contain user data. */
    public String lockKey() {
        return lockKey;
    }
}
