package io.distributedlock;

import io.distributedlock.spi.Claim;
import java.time.Duration;

/** What one call wants, with the client's defaults filled in. */
record AcquisitionPlan(LockId id, Claim claim, Lease lease, Duration waitTime) {}
