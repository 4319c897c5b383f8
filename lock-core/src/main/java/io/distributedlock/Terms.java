package io.distributedlock;

import java.time.Duration;

/** What one call wants, with the client's defaults filled in. */
record Terms(LockId id, Lease lease, Duration waitTime) {}
