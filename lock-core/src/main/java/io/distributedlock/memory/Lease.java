package io.distributedlock.memory;

import java.time.Duration;

/** What one owner holds, until which instant of the store's clock. */
record Lease(long token, long until) {

    Lease extendedTo(long later) {
        return later - until > 0 ? new Lease(token, later) : this;
    }

    Duration remaining(long now) {
        return Duration.ofNanos(Math.max(0, until - now));
    }
}
