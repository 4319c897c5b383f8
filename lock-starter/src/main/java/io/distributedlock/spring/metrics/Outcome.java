package io.distributedlock.spring.metrics;

import io.distributedlock.LockInterruptedException;
import io.distributedlock.LockLostException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockUnavailableException;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** How a request for a lock, or a call under one, ended: a closed set of words for tags. */
enum Outcome {
    /** It was called under its lock, and returned. */
    COMPLETED,
    /** It was called under its lock, and threw something of its own. */
    FAILED,
    /** Another owner held the lock for the whole wait time. */
    REFUSED,
    /** The store could not be asked. */
    UNAVAILABLE,
    /** The store was asked and gave no definite answer. */
    UNKNOWN,
    /** The lock client was closed. */
    CLOSED,
    /** The waiting thread was interrupted, or its future cancelled. */
    INTERRUPTED,
    /** The lock was lost while the call ran. */
    LOST;

    static Outcome of(@Nullable Throwable failure) {
        if (failure == null) {
            return COMPLETED;
        } else if (failure instanceof LockNotAcquiredException) {
            return REFUSED;
        } else if (failure instanceof LockUnavailableException unavailable) {
            return switch (unavailable.outcome()) {
                case UNAVAILABLE -> UNAVAILABLE;
                case OVERLOADED -> UNAVAILABLE;
                case UNKNOWN -> UNKNOWN;
                case CLOSED -> CLOSED;
            };
        } else if (failure instanceof LockInterruptedException || failure instanceof CancellationException) {
            return INTERRUPTED;
        }
        return failure instanceof LockLostException ? LOST : FAILED;
    }

    String tag() {
        return name().toLowerCase(Locale.ROOT);
    }
}
