package io.distributedlock;

import java.util.concurrent.Executor;

/**
 * When the lock of a {@link LockTemplate} call is released. Usually that is when the call ends; what the call is a part
 * of, such as a transaction, may have to end first.
 */
@FunctionalInterface
public interface ReleasePolicy {

    /** Each lock is released when the call that took it ends. */
    ReleasePolicy AT_RETURN = request -> Runnable::run;

    /**
     * Says who releases a lock that is about to be requested. Called on the caller's thread, unless a lock of that
     * thread covers the request; what it throws reaches the caller, and no lock is requested.
     *
     * @return runs the release, either at once or when its time has come. It is given one release when the call ends,
     *     on the thread of the call, or none if the lock is not granted. Until that release runs, the lock is held,
     *     renewed unless it has an explicit ttl, listed in {@link LockContext#current()} of that thread, and covers
     *     further requests of that thread. What the release throws is a {@link LockException} as {@link
     *     LockHandle#release()} throws it; if the release runs at once, it reaches the caller
     */
    Executor releaserOf(LockRequest request);
}
