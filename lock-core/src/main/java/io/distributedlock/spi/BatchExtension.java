package io.distributedlock.spi;

import java.time.Duration;
import java.util.List;

/** A {@link LockStore} that can extend many leases for less than one by one, and more than once. */
public interface BatchExtension {

    /**
     * Prepares to extend leases as {@link LockStore#extend} does one. Each has its own answer, and the failure of one
     * does not affect the others.
     *
     * @param token the highest server token of their grants
     */
    PreparedBatchExtension prepareExtension(List<Claim> claims, long token, Duration ttl);
}
