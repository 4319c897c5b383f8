package io.distributedlock;

import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.Objects;

/** What a client does where a request says nothing. */
record LockDefaults(Duration waitTime, Duration ttl, Duration commandTimeout) {

    AcquisitionPlan plan(LockRequest request, String owner) {
        LockOptions options = request.options();
        LockId id = request.id();
        Duration wait = Objects.requireNonNullElse(options.waitTime(), waitTime);
        Lease lease = new Lease(Objects.requireNonNullElse(options.ttl(), ttl), options.ttl() == null, commandTimeout);
        return new AcquisitionPlan(id, new Claim(id.encoded(), owner), lease, wait);
    }
}
