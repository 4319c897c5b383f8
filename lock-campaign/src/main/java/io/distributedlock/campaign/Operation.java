package io.distributedlock.campaign;

import io.distributedlock.LockRequest;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/**
 * What a thread does next: take a lock, work, let go.
 *
 * @param kind what kind of lock; several locks begin with that of the key
 * @param key the position of the key among those of the arena, or {@link #ONCE}
 * @param waitTime how long to wait for the lock
 * @param ttl the explicit ttl, or empty for a renewed lock
 * @param hold how long to work, unless the lock is lost before
 * @param approach how to ask
 * @param farewell how to let go
 * @param extension by how much to extend the lock while it is held, or empty for not at all
 */
record Operation(
        Kind kind,
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
                Kind.ALONE,
                key,
                Duration.ZERO,
                Optional.empty(),
                Duration.ZERO,
                Approach.CALL,
                Farewell.RELEASE,
                Optional.empty());
    }

    Operation wanting(Kind other, int otherKey) {
        return new Operation(other, otherKey, waitTime, ttl, hold, approach, farewell, extension);
    }

    Operation waiting(long millis) {
        return new Operation(kind, key, Duration.ofMillis(millis), ttl, hold, approach, farewell, extension);
    }

    Operation leased(Duration explicitTtl) {
        return new Operation(kind, key, waitTime, Optional.of(explicitTtl), hold, approach, farewell, extension);
    }

    Operation holding(Duration time) {
        return new Operation(kind, key, waitTime, ttl, time, approach, farewell, extension);
    }

    Operation by(Approach way, Farewell end) {
        return new Operation(kind, key, waitTime, ttl, hold, way, end, extension);
    }

    Operation extending(Duration by) {
        return new Operation(kind, key, waitTime, ttl, hold, approach, farewell, Optional.of(by));
    }

    LockRequest request(Collection<String> keys) {
        LockRequest all = LockRequest.ofAll(LockRequest.DEFAULT_NAME, keys).withWaitTime(waitTime);
        LockRequest request = kind.isShared() ? all.shared() : all;
        return ttl.map(request::withTtl).orElse(request);
    }
}
