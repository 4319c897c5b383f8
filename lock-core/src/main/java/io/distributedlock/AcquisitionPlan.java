package io.distributedlock;

import io.distributedlock.spi.Claim;
import java.time.Duration;

/**
 * What one caller asks the store for.
 *
 * @param waitTime how long it waits from now on
 * @param waitedBefore how long it has waited already, for its turn in this process
 * @param inTurn whether others of this process came first
 */
record AcquisitionPlan(LockId id, Claim claim, Lease lease, Duration waitTime, Duration waitedBefore, boolean inTurn) {}
