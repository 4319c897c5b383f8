package io.distributedlock.internal.acquire;

import io.distributedlock.LockId;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.spi.Claim;
import java.time.Duration;

/**
 * What one caller asks the store for.
 *
 * @param waitTime how long it waits from now on
 * @param waitedBefore how long it has waited already, for its turn in this process
 * @param inTurn whether others of this process came first
 */
public record AcquirePlan(
        LockId id, Claim claim, LeaseTerms lease, Duration waitTime, Duration waitedBefore, boolean inTurn) {}
