package io.distributedlock.memory;

import java.time.Duration;

/** Who holds a lock, until which instant of the store's clock. */
record Lease(String owner, long token, long until) {

    Lease extendedTo(long later) {
        return later - until > 0 ? new Lease(owner, token, later) : this;
    }

    Duration remaining(long now) {
        return Duration.ofNanos(Math.max(0, until - now));
    }
}
