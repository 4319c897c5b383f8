package io.distributedlock;

import java.time.Duration;
import java.util.Objects;

/**
 * What a client does where a request says nothing.
 *
 * @param lease the lease of locks without an explicit ttl, which all of them share
 */
record LockDefaults(Duration waitTime, Lease lease) {

    Terms terms(LockRequest request) {
        LockOptions options = request.options();
        Duration wait = Objects.requireNonNullElse(options.waitTime(), waitTime);
        return new Terms(request.id(), lease(options), wait);
    }

    /** The client's cap bounds locks that would be renewed for ever; who says for how long a lock is wanted has said it. */
    private Lease lease(LockOptions options) {
        if (options.ttl() != null) {
            return new Lease(options.ttl(), false, options.maxHold(), lease.commandTimeout());
        }
        return options.maxHold() == null
                ? lease
                : new Lease(lease.ttl(), true, options.maxHold(), lease.commandTimeout());
    }
}
