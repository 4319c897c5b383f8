package io.distributedlock;

import java.time.Duration;

/**
 * The lock is held by another owner, and stayed so for the whole wait time. Thrown only on a definite answer of the
 * store.
 */
public final class LockNotAcquiredException extends LockException {

    private static final long serialVersionUID = 1L;

    private final Duration holderLeaseEndsIn;

    /**
     * For the tests of applications; the library throws it itself.
     *
     * @param holderLeaseEndsIn when the lease of the present holder ends if it is not renewed
     */
    public LockNotAcquiredException(LockId id, Duration waited, Duration holderLeaseEndsIn) {
        this(id, waited, holderLeaseEndsIn, "by another owner");
    }

    /**
     * The same with what is known of the holder.
     *
     * @param holder follows "is held", such as {@code "in this process by thread 'http-1' for 692 ms"}
     */
    public LockNotAcquiredException(LockId id, Duration waited, Duration holderLeaseEndsIn, String holder) {
        super(
                id,
                ("Lock '%s' is held %s: not acquired %s. The present lease ends in at most %d ms unless it is renewed."
                                + " Try again later, or allow a longer wait time")
                        .formatted(
                                id.display(),
                                holder,
                                waited.toMillis() == 0 ? "at once" : "in " + waited.toMillis() + " ms",
                                holderLeaseEndsIn.toMillis()),
                null);
        this.holderLeaseEndsIn = holderLeaseEndsIn;
    }

    /** When the present holder's lease ends if it is not renewed, as the store said at the last try. */
    public Duration holderLeaseEndsIn() {
        return holderLeaseEndsIn;
    }
}
