package io.distributedlock;

import java.time.Duration;

/**
 * The lock ended before its holder released it, so the holder's work may have overlapped with the next holder's.
 *
 * <p>What the work has written needs a check: roll it back, compare fencing tokens, or repeat it.
 */
public final class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    private final LossReason reason;

    /** For the tests of applications; the library throws it itself. */
    public LockLostException(LockId id, LossReason reason) {
        this(id, reason, "Lock '%s' was lost while it was held: %s".formatted(id.display(), reason.explanation()));
    }

    private LockLostException(LockId id, LossReason reason, String message) {
        super(id, message, null);
        this.reason = reason;
    }

    /** Its lease of {@code ttl} ran out; it had been acquired {@code held} ago. */
    public static LockLostException expired(LockId id, Duration ttl, boolean renewed, Duration held) {
        String cause = renewed
                ? "no renewal was confirmed within its ttl of %d ms. It was acquired %d ms ago. Look for an"
                        + " unreachable store or a paused process"
                : "the work took longer than its ttl of %d ms, or the store could not be reached. It was acquired"
                        + " %d ms ago. Raise the ttl, or leave it out so that the lock is renewed";
        return new LockLostException(
                id,
                LossReason.DEADLINE,
                ("Lock '%s' was lost while it was held: its lease ran out, because " + cause)
                        .formatted(id.display(), ttl.toMillis(), held.toMillis()));
    }

    public static LockLostException released(LockId id) {
        return new LockLostException(
                id,
                LossReason.NOT_OWNER,
                ("Lock '%s' is not held any more: its holder has released it. Check who uses the handle after its"
                                + " release")
                        .formatted(id.display()));
    }

    public static LockLostException unconfirmed(LockId id) {
        return new LockLostException(
                id,
                LossReason.DEADLINE,
                ("Lock '%s' may have run out while this machine was suspended, and the store has not confirmed it"
                                + " yet. If the wall clock was set forward instead, ask again")
                        .formatted(id.display()));
    }

    public static LockLostException tooLittleLeft(LockId id, Duration left, Duration needed) {
        return new LockLostException(
                id,
                LossReason.DEADLINE,
                ("Lock '%s' is safely held for %d ms more, but the work needs %d ms: it could outlive its lock. Raise"
                                + " the ttl, or look for late renewals")
                        .formatted(id.display(), left.toMillis(), needed.toMillis()));
    }

    public LossReason reason() {
        return reason;
    }
}
