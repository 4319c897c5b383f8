package io.distributedlock.internal.lease;

import io.distributedlock.LockId;
import io.distributedlock.LossReason;
import io.distributedlock.ReleaseMode;
import io.distributedlock.internal.event.Callbacks;
import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.internal.time.SuspendDetector;
import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Leases without an engine: it counts what happens to them. */
final class StandaloneLeases implements LeaseContext {

    private static final LeaseTerms TERMS = new LeaseTerms(Duration.ofSeconds(30), true, null, Duration.ofSeconds(1));

    final ManualScheduler time = new ManualScheduler();
    final AtomicInteger losses = new AtomicInteger();
    final AtomicInteger releases = new AtomicInteger();
    private final SuspendDetector suspensions = new SuspendDetector(time, () -> {});

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
    public Scheduler time() {
        return time;
    }

    @Override
    public SuspendDetector suspensions() {
        return suspensions;
    }

    @Override
    public Callbacks callbacks() {
        throw new UnsupportedOperationException();
    }

    @Override
    public ReleaseMode releases() {
        return ReleaseMode.CONFIRMED;
    }

    @Override
    public void due(HeldLease heldLease) {}

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

    @Override
    public CompletableFuture<Boolean> extend(LockHold hold, Duration ttl) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Long> fencingToken(LockHold hold) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void interruptAtLoss(LockHold hold, Runnable interrupt) {}

    @Override
    public void interruptNoMore(LockHold hold) {}
}
