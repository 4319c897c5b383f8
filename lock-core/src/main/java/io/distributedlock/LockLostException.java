package io.distributedlock;

/**
 * The lock ended before its holder released it, so the holder's work may have overlapped with the next holder's.
 *
 * <p>What the work has written needs a check: roll it back, compare fencing tokens, or repeat it.
 */
public final class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    private final LossReason reason;

    LockLostException(LockId id, LossReason reason) {
        super(id, "Lock '%s' was lost while it was held: %s".formatted(id.display(), reason.explanation()), null);
        this.reason = reason;
    }

    public LossReason reason() {
        return reason;
    }
}
