package io.distributedlock;

import io.distributedlock.spi.LockMode;
import java.time.Duration;

/** What one call wants, with the client's defaults filled in. */
record Terms(LockId id, LockMode mode, Lease lease, Duration waitTime) {}
