package io.distributedlock.internal.lease;

import io.distributedlock.LockId;
import io.distributedlock.LossReason;
import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Leases without an engine: it counts what happens to them. */
final class StandaloneLeases extends UnattendedLeases {

    private static final LeaseTerms TERMS = new LeaseTerms(Duration.ofSeconds(30), true, null, Duration.ofSeconds(1));

    final AtomicInteger losses = new AtomicInteger();
    final AtomicInteger releases = new AtomicInteger();

    /** The handle of a lease that was granted just now. */
    SingleLockHandle granted(String name) {
        long now = time.now();
        LeaseGrant grant = new LeaseGrant(
                LockId.of(name, ""),
                new Claim(name, "owner-of-" + name),
                TERMS,
                1,
                now,
                now + TERMS.ttl().toNanos(),
                false,
                false);
        HeldLease lease = new HeldLease(this, grant);
        SingleLockHandle handle = new SingleLockHandle(lease, 0, null);
        lease.begin(handle.hold());
        return handle;
    }

    @Override
    public void release(LockHold hold) {
        releases.incrementAndGet();
        hold.releaseEnded(null);
    }

    @Override
    public void lost(LockHold hold, LossReason reason) {
        losses.incrementAndGet();
        if (hold.becomesLost(reason)) {
            hold.signalLoss(reason);
            hold.lossEnded();
        }
    }

    @Override
    public void over(HeldLease heldLease) {}
}
