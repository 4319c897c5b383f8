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
     * @param tries how often the store was asked
     * @param holderLeaseEndsIn when the lease of the present holder ends if it is not renewed
     */
    public LockNotAcquiredException(LockId id, Duration waited, int tries, Duration holderLeaseEndsIn) {
        super(
                id,
                ("Lock '%s' is held by another owner: not acquired in %d ms (tries: %d; the present lease ends in at"
                                + " most %d ms unless it is renewed). Try again later, or allow a longer wait time")
                        .formatted(id.display(), waited.toMillis(), tries, holderLeaseEndsIn.toMillis()),
                null);
        this.holderLeaseEndsIn = holderLeaseEndsIn;
    }

    /** When the present holder's lease ends if it is not renewed, as the store said at the last try. */
    public Duration holderLeaseEndsIn() {
        return holderLeaseEndsIn;
    }
}
