package io.distributedlock.internal.lease;

import io.distributedlock.LockId;
import io.distributedlock.LockMode;
import java.time.Duration;

/**
 * What one call wants, with the client's defaults filled in.
 *
 * @param fenced whether the grant is to bring a fencing token
 */
public record ResolvedRequest(LockId id, LockMode mode, LeaseTerms lease, Duration waitTime, boolean fenced) {}
