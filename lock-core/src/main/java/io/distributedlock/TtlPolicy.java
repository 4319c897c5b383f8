package io.distributedlock;

import io.distributedlock.internal.policy.AdaptiveTtlPolicy;
import java.time.Duration;

/**
 * Says how long the lease of a lock is to be: asked once for each request that has no explicit ttl, before anything is
 * sent. A lease that is renewed only bounds for how long a holder that crashed blocks others; one that is not renewed
 * bounds the work, too.
 *
 * <p>A policy that is a {@link LockListener} as well is notified of what happens to the locks of the client, so that it
 * can learn from that.
 */
@FunctionalInterface
public interface TtlPolicy {

    /**
     * Called on the caller's thread, by many threads at once, so it should be quick and must not block.
     *
     * @return from {@link LockOptions#MIN_TTL} to {@link LockOptions#MAX_DURATION}; anything else, or an exception,
     *     fails the request
     */
    Duration ttl(LockRequest request, RunningLocks running);

    /** The same lease for every lock. */
    static TtlPolicy fixed(Duration ttl) {
        Duration checked = LockOptions.requireTtl(ttl);
        return (request, running) -> checked;
    }

    /**
     * Leases that follow the hold times of each lock name; an instance of its own for each client, because it learns
     * from what that does.
     */
    static TtlPolicy adaptive(AdaptiveTtl settings) {
        return new AdaptiveTtlPolicy(settings);
    }

    /** What is held through this client now. */
    @FunctionalInterface
    interface RunningLocks {

        /**
         * For how long the oldest lock of this name has been held; zero if none is. As it was up to a quarter of a
         * second ago.
         */
        Duration longest(String lockName);
    }
}
