package io.distributedlock.internal.renewal;

import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LeaseTerms;
import java.time.Duration;

/**
 * What renewals must have in common to be asked for together.
 *
 * @param ttl how long a lease should last from now on
 * @param lease which limits how long the answer is waited for
 */
record BatchKey(Duration ttl, LeaseTerms lease) {

    /** Asks whether the lock is still ours without changing its expiry, because an extension never shortens a lease. */
    private static final Duration JUST_ASK = Duration.ofMillis(1);

    /** A whole lease where that is what the lock is meant to have, else only whether it is still there. */
    static BatchKey of(HeldLease heldLease) {
        LeaseTerms lease = heldLease.lease();
        return new BatchKey(lease.renewed() || heldLease.isStretching() ? lease.ttl() : JUST_ASK, lease);
    }

    Duration limit() {
        return lease.renewalTimeout();
    }
}
