package io.distributedlock.campaign.workload;

import io.distributedlock.LockRequest;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/**
 * What a thread does next: take a lock, work, release it.
 *
 * @param kind what kind of lock; several locks begin with that of the key
 * @param key the position of the key among those of the sharedState, or {@link #ONCE}
 * @param waitTime how long to wait for the lock
 * @param ttl the explicit ttl, or empty for a renewed lock
 * @param hold how long to work, unless the lock is lost before
 * @param acquireStyle how to ask
 * @param releaseStyle how to release the lock
 * @param extension by how much to extend the lock while it is held, or empty for not at all
 */
public record Operation(
        LockKind kind,
        int key,
        Duration waitTime,
        Optional<Duration> ttl,
        Duration hold,
        AcquireStyle acquireStyle,
        ReleaseStyle releaseStyle,
        Optional<Duration> extension) {

    /** A key that is used once. */
    static final int ONCE = -1;

    /** How a thread releases a lock. */
    enum ReleaseStyle {
        RELEASE,
        RELEASE_ASYNC,
        RELEASE_ON_ANOTHER_THREAD,
        RELEASE_WHILE_INTERRUPTED
    }

    /** A renewed lock, one try, no work, in the plainest way. */
    static Operation on(int key) {
        return new Operation(
                LockKind.ALONE,
                key,
                Duration.ZERO,
                Optional.empty(),
                Duration.ZERO,
                AcquireStyle.CALL,
                ReleaseStyle.RELEASE,
                Optional.empty());
    }

    Operation wanting(LockKind other, int otherKey) {
        return new Operation(other, otherKey, waitTime, ttl, hold, acquireStyle, releaseStyle, extension);
    }

    Operation waiting(long millis) {
        return new Operation(kind, key, Duration.ofMillis(millis), ttl, hold, acquireStyle, releaseStyle, extension);
    }

    Operation leased(Duration explicitTtl) {
        return new Operation(
                kind, key, waitTime, Optional.of(explicitTtl), hold, acquireStyle, releaseStyle, extension);
    }

    Operation holding(Duration time) {
        return new Operation(kind, key, waitTime, ttl, time, acquireStyle, releaseStyle, extension);
    }

    Operation by(AcquireStyle way, ReleaseStyle end) {
        return new Operation(kind, key, waitTime, ttl, hold, way, end, extension);
    }

    Operation extending(Duration by) {
        return new Operation(kind, key, waitTime, ttl, hold, acquireStyle, releaseStyle, Optional.of(by));
    }

    /** Whether the lock is granted with a token: half of the locks, by chance. */
    boolean isFenced() {
        return kind.isShared() || micros() % 2 == 0;
    }

    /** Whether a token is drawn under a lock that was granted without: for half of them. */
    boolean drawsToken() {
        return micros() % 4 == 1;
    }

    /** The same without a token of either kind. */
    Operation withoutToken() {
        return holding(hold.plusNanos(1_000 * Math.floorMod(3 - micros(), 4L)));
    }

    private long micros() {
        return hold.plus(waitTime).toNanos() / 1_000;
    }

    LockRequest request(Collection<String> keys) {
        LockRequest all = LockRequest.ofAll("default", keys).withWaitTime(waitTime);
        LockRequest wanted = kind.isShared() ? all.shared() : all;
        LockRequest request = isFenced() ? wanted.withFencing() : wanted;
        return ttl.map(request::withTtl).orElse(request);
    }
}
