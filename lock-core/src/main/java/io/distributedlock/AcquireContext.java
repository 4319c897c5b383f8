package io.distributedlock;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockMode;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What every acquisition of one client uses, and what it calls when it has ended. */
interface AcquireContext {

    Timeline time();

    Suspensions suspensions();

    LockStore store();

    StoreCalls calls();

    WaitStrategy waiting();

    Tally tally();

    /** Completes when commands can be sent; fails if the store can't be reached. */
    CompletableFuture<?> ready();

    /** A claim on a lock, with an owner that nobody had before. */
    Claim newClaim(Terms terms);

    /** The store has granted a lock to this process. */
    HeldLock hold(Grant grant, Duration waited, boolean contended);

    /** A caller has got a lock: from the store, or from another caller of this process. */
    void acquired(HeldLock lock, Duration waited, boolean contended);

    /** A lease was handed over to the next caller of this process, whose hold has a limit of its own. */
    void limited(Tenure tenure);

    void notAcquired(LockException reason, LockMode mode, Duration waited);

    /** Has a claim removed from the store, whatever became of the commands that were sent for it. */
    void reap(Claim claim, Lease lease, Duration promised);

    /** Runs {@code cleanUp} once the end of a lease has been confirmed, or asked for in vain. */
    void after(Tenure tenure, Runnable cleanUp);
}
