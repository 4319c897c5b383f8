package io.distributedlock;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lock is held by another owner, and stayed so for the whole wait time. Thrown only on a definite answer of the
 * store.
 */
public final class LockNotAcquiredException extends LockException {

    private static final long serialVersionUID = 1L;

    private final Duration waited;
    private final Duration holderLeaseEndsIn;
    private final String heldBy;
    private final @Nullable LockHolder holder;

    /**
     * For the tests of applications; the library throws it itself.
     *
     * @param holderLeaseEndsIn when the lease of the present holder ends if it is not renewed
     */
    public LockNotAcquiredException(LockId id, Duration waited, Duration holderLeaseEndsIn) {
        this(id, waited, holderLeaseEndsIn, "by another owner", null);
    }

    /**
     * The same with what is known of the holder.
     *
     * @param heldBy follows "is held", such as {@code "in this process by thread 'http-1' for 692 ms"}
     */
    public LockNotAcquiredException(
            LockId id, Duration waited, Duration holderLeaseEndsIn, String heldBy, @Nullable LockHolder holder) {
        super(
                id,
                ("Lock '%s' is held %s: not acquired %s. The present lease ends in at most %d ms unless it is renewed."
                                + " Try again later, or allow a longer wait time")
                        .formatted(
                                id.display(),
                                heldBy,
                                waited.toMillis() == 0 ? "at once" : "in " + waited.toMillis() + " ms",
                                holderLeaseEndsIn.toMillis()),
                null);
        this.waited = waited;
        this.holderLeaseEndsIn = holderLeaseEndsIn;
        this.heldBy = heldBy;
        this.holder = holder;
    }

    /** The same refusal, which says who holds the lock. */
    public LockNotAcquiredException withHolder(LockHolder known) {
        LockId id = LockId.of(lockName(), lockKey());
        String by = holder == null && known.identity() != null ? "by " + known : heldBy;
        return new LockNotAcquiredException(id, waited, holderLeaseEndsIn, by, known);
    }

    /**
     * Who held the lock at the time of the refusal. Empty if that is not known: the store was not asked, or did not
     * answer at once, or the lock was free by then.
     */
    public Optional<LockHolder> holder() {
        return Optional.ofNullable(holder);
    }

    /** When the present holder's lease ends if it is not renewed, as the store said at the last try. */
    public Duration holderLeaseEndsIn() {
        return holderLeaseEndsIn;
    }
}
