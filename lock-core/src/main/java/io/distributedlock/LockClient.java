package io.distributedlock;

import io.distributedlock.internal.client.DefaultLockClientBuilder;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

/**
 * Hands out the locks of one store.
 *
 * <p>Guaranteed while the store keeps its data and its clock runs: at most one holder of a lock at a time; a holder
 * that is notified before the store could grant its lock to another owner; and no lock left behind, whatever happened
 * to a reply. A call returns after its wait time and two command timeouts at the latest, four for several keys, plus
 * three seconds if the connection has to be opened first.
 *
 * <p>Not guaranteed: exclusion across a failover of an asynchronously replicated store, or for a holder that is paused
 * between its last check and its write. Where that matters, let the protected resource compare {@linkplain
 * LockHandle#fencingToken() fencing tokens}. Locks are granted in the order of arrival only as far as the store has a
 * queue, and a handle does not count re-entries: see {@link LockTemplate} for that.
 */
public interface LockClient extends AutoCloseable {

    /** Sets up a client of the locks in {@code store}, which the client closes with itself. */
    static LockClientBuilder builder(LockStore store) {
        return new DefaultLockClientBuilder(store);
    }

    /**
     * Opens the connection to the store, and returns when it is open. A call that comes first opens it as well, and
     * waits for it; an application connects so that its first lock does not have to wait, or to learn at its start
     * whether locks work.
     *
     * @param limit how long it waits at most
     * @throws LockUnavailableException if the store was not reached in this time; the next call tries again
     */
    void connect(Duration limit);

    /** {@link #acquire(LockRequest)} for the lock of this name. */
    default LockHandle acquire(String name) {
        return acquire(LockRequest.of(name));
    }

    /**
     * Waits for the lock, or for the locks of several keys: these one after the other within one wait time, and if one
     * of them can't be had, none is kept. The time that commands take counts for each lock alone.
     *
     * @throws LockNotAcquiredException if another owner holds it for the whole wait time
     * @throws LockUnavailableException if the store can't be asked or gives no definite answer
     * @throws LockInterruptedException if the thread is interrupted before or meanwhile
     * @throws IllegalArgumentException if the request names a {@link LockPolicy} that this client does not have
     * @throws UnsupportedOperationException if the store has no locks of the wanted {@linkplain LockRequest#mode()
     *     mode}
     */
    LockHandle acquire(LockRequest request);

    /** {@link #tryAcquire(LockRequest)} for the lock of this name. */
    default Optional<LockHandle> tryAcquire(String name) {
        return tryAcquire(LockRequest.of(name));
    }

    /**
     * {@link #acquire(LockRequest)}, but empty where that throws a {@link LockNotAcquiredException}. It waits only if
     * the request has a {@linkplain LockRequest#withWaitTime wait time}: neither this client's default nor a policy
     * counts.
     */
    Optional<LockHandle> tryAcquire(LockRequest request);

    /**
     * {@link #acquire(LockRequest)} without a waiting thread. The future fails as that method throws, and completes on
     * a thread of this client. Cancelling it, or failing it in any other way such as a time-out, withdraws the claim; a
     * lock that was granted meanwhile is released.
     */
    CompletableFuture<LockHandle> acquireAsync(LockRequest request);

    /**
     * The lock of a request for code that knows {@link Lock} alone. It is re-entrant: it belongs to the thread that
     * took it, which may take it again, also through another {@code asLock} of this client for the same name and key,
     * and has to unlock it as often. Calls of a {@link LockTemplate} on that thread run under it, too, and inside of
     * such a call for the same lock it counts as held: it is locked at once, and unlocking leaves the lock to that
     * call. A thread that holds it alone may lock a share of it, too, and keeps it alone until all is unlocked: there
     * is no downgrade.
     *
     * <p>The wait time of the request does not count: {@link Lock#lock()} waits without a limit, and {@link
     * Lock#tryLock(long, java.util.concurrent.TimeUnit)} as it says. All of them throw {@link LockUnavailableException}
     * as {@link #acquire(LockRequest)} does, {@link Lock#unlock()} throws {@link LockLostException} as {@link
     * LockHandle#release()} does, and there are no conditions. To lock what the thread has already throws a {@link
     * LockLostException} if that was lost meanwhile, and to lock alone what the thread shares an {@link
     * IllegalStateException}.
     *
     * @throws IllegalArgumentException if the request is for several keys
     */
    Lock asLock(LockRequest request);

    /** The locks that are held through this client now. */
    Collection<LockHandle> held();

    /**
     * How many claims without a holder are still being cleaned up, because the store has not confirmed that they are
     * gone.
     */
    int unresolved();

    /** What this client is doing, for metrics, health checks and incidents. */
    LockMonitor monitor();

    /** {@link #drain(Duration, Duration)} without patience. */
    default void drain(Duration limit) {
        drain(Duration.ZERO, limit);
    }

    /**
     * Releases everything: calls that wait, and calls that come meanwhile, fail at once with {@link
     * LockUnavailableException.Outcome#CLOSED}; what is held is left to the work under it for {@code patience}; then
     * the holders that are left are notified that their locks are {@linkplain LossReason#CLOSED lost}, and the locks
     * are freed; and what is unresolved is cleaned up. Returns as soon as all of that is done, and after {@code limit}
     * at the latest; nothing is held then. The client can be used again afterwards.
     */
    void drain(Duration patience, Duration limit);

    /** {@link #drain(Duration)} within 2 s, and the end of this client and its store. */
    @Override
    void close();
}
