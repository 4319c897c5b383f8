package io.distributedlock.internal.acquire;

import io.distributedlock.LockException;
import io.distributedlock.LockMode;
import io.distributedlock.internal.event.EngineCounters;
import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LeaseGrant;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.lease.ResolvedRequest;
import io.distributedlock.internal.lease.SingleLockHandle;
import io.distributedlock.internal.store.StoreCalls;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.internal.time.SuspendDetector;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What every acquisition of one client uses, and what it calls when it has ended. */
public interface AcquireContext {

    Scheduler time();

    SuspendDetector suspensions();

    LockStore store();

    StoreCalls calls();

    WaitStrategy waiting();

    EngineCounters counters();

    /** Completes when commands can be sent; fails if the store can't be reached. */
    CompletableFuture<?> ready();

    /** A claim on a lock, with an owner that was never used before. */
    Claim newClaim(ResolvedRequest terms);

    /** The store has granted a lock to this process. */
    SingleLockHandle hold(LeaseGrant grant, Duration waited, boolean contended);

    /** A caller has got a lock: from the store, or from another caller of this process. */
    void acquired(SingleLockHandle lock, Duration waited, boolean contended);

    /** A lease was handed over to the next caller of this process, whose hold has a limit of its own. */
    void limited(HeldLease heldLease);

    void notAcquired(LockException reason, LockMode mode, Duration waited);

    /** Has a claim removed from the store, whatever became of the commands that were sent for it. */
    void reap(Claim claim, LeaseTerms lease, Duration promised);

    /** Runs {@code cleanUp} once the end of a lease has been confirmed, or asked for in vain. */
    void after(HeldLease heldLease, Runnable cleanUp);
}
