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

    static BatchKey of(HeldLease heldLease) {
        return new BatchKey(heldLease.extension(), heldLease.lease());
    }

    Duration limit() {
        return lease.renewalTimeout();
    }
}
