package io.distributedlock.internal.lease;

import io.distributedlock.LossReason;
import io.distributedlock.ReleaseMode;
import io.distributedlock.internal.event.Callbacks;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.internal.time.SuspendDetector;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What all leases of one client share, and what happens to them is passed on to. */
public interface LeaseContext {

    Scheduler time();

    SuspendDetector suspensions();

    Callbacks callbacks();

    /** How a holder's release waits for the store. */
    ReleaseMode releases();

    /** The look at a lease is due that was planned. */
    void due(HeldLease heldLease);

    /** The holder of a lease ends its hold in order. */
    void release(LockHold hold);

    /** A holder has lost its lease. */
    void lost(LockHold hold, LossReason reason);

    /** A lease has ended by a loss, so that callers of this process may ask the store again. */
    void over(HeldLease heldLease);

    /** A holder wants its lease to last for {@code ttl} from now on. */
    CompletableFuture<Boolean> extend(LockHold hold, Duration ttl);

    /** The fencing token of a hold, drawn from the store if need be; completes where the store's answer arrives. */
    CompletableFuture<Long> fencingToken(LockHold hold);

    /** From now on, the loss of this hold runs {@code interrupt}, on whichever thread it is noticed. */
    void interruptAtLoss(LockHold hold, Runnable interrupt);

    void interruptNoMore(LockHold hold);
}
