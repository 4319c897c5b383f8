package io.distributedlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What all leases of one client share, and what happens to them is passed on to. */
interface LeaseContext {

    Timeline time();

    Suspensions suspensions();

    Callbacks callbacks();

    /** How a holder's release waits for the store. */
    ReleaseMode releases();

    /** The look at a lease is due that was planned. */
    void due(Tenure tenure);

    /** The holder of a lease ends its hold in order. */
    void release(Hold hold);

    /** A holder has lost its lease. */
    void lost(Hold hold, LossReason reason);

    /** A lease has ended by a loss, so that callers of this process may ask the store again. */
    void over(Tenure tenure);

    /** A holder wants its lease to last for {@code ttl} from now on. */
    CompletableFuture<Boolean> extend(Hold hold, Duration ttl);

    /** From now on, the loss of this hold runs {@code interrupt}, on whichever thread it is noticed. */
    void interruptAtLoss(Hold hold, Runnable interrupt);

    void interruptNoMore(Hold hold);
}
