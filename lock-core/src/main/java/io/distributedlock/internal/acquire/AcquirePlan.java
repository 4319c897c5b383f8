package io.distributedlock.internal.acquire;

import io.distributedlock.LockId;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.spi.Claim;

/**
 * What one caller asks the store for.
 *
 * @param since when the caller began to wait, for its turn in this process or for the store
 * @param deadline until when it waits
 * @param inTurn whether others of this process came first
 */
public record AcquirePlan(LockId id, Claim claim, LeaseTerms lease, long since, long deadline, boolean inTurn) {}
