package io.distributedlock.internal.acquire;

import io.distributedlock.LockException;
import io.distributedlock.spi.StoreException;

/** The callers of this process that want the same lock, as one of them sees it. */
interface LocalAdmission {

    /** A caller arrives: it takes a lease that is open, or asks the store, or waits. */
    void join(LockWaiter waiter);

    /**
     * A waiter that was woken, because a lease is open, looks for it. It goes on waiting if another caller was quicker.
     */
    void turn(LockWaiter waiter);

    /** The wait of a caller is over. */
    void timeOut(LockWaiter waiter);

    /** A caller does not want the lock any more. */
    void leave(LockWaiter waiter);

    /** The store has refused the caller that asks it, which goes on waiting. */
    void refused(LockWaiter waiter);

    /** The store has not answered a try of the caller that asks it, which goes on trying. */
    void unanswered(LockWaiter waiter, StoreException failure);

    /** The caller that asked the store got no lock. */
    void failed(LockWaiter waiter, LockException failure);
}
