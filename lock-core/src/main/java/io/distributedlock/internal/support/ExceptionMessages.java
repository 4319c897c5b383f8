package io.distributedlock.internal.support;

import io.distributedlock.LockId;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.spi.StoreException;
import java.time.Duration;

/** The words for calls that got no definite answer. */
public final class ExceptionMessages {

    private ExceptionMessages() {}

    public static LockUnavailableException unavailable(LockId id, Duration waited, StoreException cause) {
        String message = "Lock '%s' could not be requested in %d ms: %s. Nothing was written. %s"
                .formatted(
                        id.display(),
                        waited.toMillis(),
                        cause.getMessage(),
                        cause.isDenied()
                                ? "Check the user of the lock store, its password and its rights; the log of the"
                                        + " start names what is missing"
                                : "Check that the lock store can be reached and accepts writes");
        return new LockUnavailableException(id, Outcome.UNAVAILABLE, message, cause);
    }

    public static LockUnavailableException unknown(
            LockId id, Duration firstTtl, Duration waited, StoreException cause) {
        String message = ("Lock '%s': the store gave no definite answer in %d ms (%s), so it may have been granted. The"
                        + " clean-up is scheduled: the lock is freed as soon as the store can be reached, and expires"
                        + " by itself after %d ms")
                .formatted(id.display(), waited.toMillis(), cause.getMessage(), firstTtl.toMillis());
        return new LockUnavailableException(id, Outcome.UNKNOWN, message, cause);
    }

    /** A step of the client itself has failed, be it that the machine has no memory or threads left. */
    public static LockUnavailableException failed(LockId id, Duration waited, Throwable failure) {
        return new LockUnavailableException(
                id,
                Outcome.UNKNOWN,
                ("Lock '%s': a step of the lock client failed after %d ms (%s), so the lock may have been granted. It"
                                + " is given back as soon as that can be done, and expires by itself")
                        .formatted(id.display(), waited.toMillis(), failure),
                failure);
    }

    /** The last resort: none of the limits that should have ended the call did. */
    public static LockUnavailableException overdue(LockId id, Duration waited) {
        return new LockUnavailableException(
                id,
                Outcome.UNKNOWN,
                ("Lock '%s': the call has not ended within its limits, %d ms by now, so the lock may have been"
                                + " granted. It is given back as soon as that can be done, and expires by itself")
                        .formatted(id.display(), waited.toMillis()),
                null);
    }

    public static LockUnavailableException extension(LockId id, Duration left, StoreException cause) {
        boolean refused = cause.effect() != StoreException.Effect.UNKNOWN;
        String message = "Lock '%s' was not extended (%s); it is still held for at least %d ms"
                .formatted(id.display(), cause.getMessage(), left.toMillis());
        return new LockUnavailableException(id, refused ? Outcome.UNAVAILABLE : Outcome.UNKNOWN, message, cause);
    }

    public static LockUnavailableException noToken(LockId id, Duration left, StoreException cause) {
        boolean refused = cause.effect() != StoreException.Effect.UNKNOWN;
        String message = ("Lock '%s': its fencing token could not be drawn (%s); it is still held for at least %d ms."
                        + " Ask again, or request the lock withFencing() so that the grant brings the token")
                .formatted(id.display(), cause.getMessage(), left.toMillis());
        return new LockUnavailableException(id, refused ? Outcome.UNAVAILABLE : Outcome.UNKNOWN, message, cause);
    }

    public static LockUnavailableException tooManyWaiters(LockId id, int here, int inAll) {
        String message =
                ("Lock '%s' is not waited for: %d callers of this process wait for it already, %d for all locks"
                                + " together, and no more may. Let fewer callers in at a time, or raise the limit")
                        .formatted(id.display(), here, inAll);
        return new LockUnavailableException(id, Outcome.OVERLOADED, message, null);
    }

    public static LockUnavailableException noAnswer(LockId id, StoreException cause) {
        boolean refused = cause.effect() != StoreException.Effect.UNKNOWN;
        return new LockUnavailableException(
                id,
                refused ? Outcome.UNAVAILABLE : Outcome.UNKNOWN,
                "Lock '%s': the store gave no answer (%s)".formatted(id.display(), cause.getMessage()),
                cause);
    }

    public static LockUnavailableException notConnected(LockId id, Duration limit, StoreException cause) {
        return new LockUnavailableException(
                id,
                Outcome.UNAVAILABLE,
                "The lock store was not reached within %d ms: %s. Check its address and credentials, and that it runs"
                        .formatted(limit.toMillis(), cause.getMessage()),
                cause);
    }

    public static LockUnavailableException closed(LockId id) {
        return new LockUnavailableException(
                id,
                Outcome.CLOSED,
                "Lock '%s' was not acquired: the lock client is closed or shutting down".formatted(id.display()),
                null);
    }
}
