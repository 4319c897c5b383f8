package io.distributedlock.campaign;

import io.distributedlock.LockRequest;
import java.time.Duration;
import java.util.Optional;

/**
 * What a thread does next: take a lock, work, let go.
 *
 * @param key the position of the key among those of the arena, or {@link #ONCE}
 * @param waitTime how long to wait for the lock
 * @param ttl the explicit ttl, or empty for a renewed lock
 * @param hold how long to work, unless the lock is lost before
 * @param approach how to ask
 * @param farewell how to let go
 * @param extension by how much to extend the lock while it is held, or empty for not at all
 */
record Operation(
        int key,
        Duration waitTime,
        Optional<Duration> ttl,
        Duration hold,
        Approach approach,
        Farewell farewell,
        Optional<Duration> extension) {

    /** Stands for a key that nobody has ever used and nobody will use again. */
    static final int ONCE = -1;

    /** How a thread lets go. */
    enum Farewell {
        RELEASE,
        RELEASE_ASYNC,
        RELEASE_ON_ANOTHER_THREAD,
        RELEASE_WHILE_INTERRUPTED
    }

    /** A renewed lock, one try, no work, in the plainest way. */
    static Operation on(int key) {
        return new Operation(
                key, Duration.ZERO, Optional.empty(), Duration.ZERO, Approach.CALL, Farewell.RELEASE, Optional.empty());
    }

    /** Whether the key is one that others know as well. */
    boolean isShared() {
        return key != ONCE;
    }

    Operation waiting(long millis) {
        return new Operation(key, Duration.ofMillis(millis), ttl, hold, approach, farewell, extension);
    }

    Operation leased(Duration explicitTtl) {
        return new Operation(key, waitTime, Optional.of(explicitTtl), hold, approach, farewell, extension);
    }

    Operation holding(Duration time) {
        return new Operation(key, waitTime, ttl, time, approach, farewell, extension);
    }

    Operation by(Approach way, Farewell end) {
        return new Operation(key, waitTime, ttl, hold, way, end, extension);
    }

    Operation extending(Duration by) {
        return new Operation(key, waitTime, ttl, hold, approach, farewell, Optional.of(by));
    }

    LockRequest request(String name) {
        LockRequest request = LockRequest.of(name).withWaitTime(waitTime);
        return ttl.map(request::withTtl).orElse(request);
    }
}
