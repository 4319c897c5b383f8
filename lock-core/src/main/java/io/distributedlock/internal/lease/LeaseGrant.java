package io.distributedlock.internal.lease;

import io.distributedlock.LockId;
import io.distributedlock.spi.Claim;

/**
 * What a holder was given, and what does not change while it holds it.
 *
 * @param serverToken the store's fencing token; zero if none was drawn
 * @param sentAt when the command that took the lock was sent, or the refused one that queued the claim, to which the
 *     lock was handed over since
 * @param safeUntil when the holder would be notified that the lease is over, if nothing extended it
 * @param doubtful whether a command sent earlier for the claim may still be executed
 * @param direct whether the lock was handed over to the queued claim, for a short lease at first
 */
public record LeaseGrant(
        LockId id,
        Claim claim,
        LeaseTerms lease,
        long serverToken,
        long sentAt,
        long safeUntil,
        boolean doubtful,
        boolean direct) {

    /** Whether the store has to be asked for the rest of an explicit ttl. */
    boolean isStretched() {
        return lease.isStretched() || (direct && lease.isLongerThanDirect());
    }
}
