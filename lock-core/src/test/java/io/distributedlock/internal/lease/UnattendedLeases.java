package io.distributedlock.internal.lease;

import io.distributedlock.ReleaseMode;
import io.distributedlock.internal.event.Callbacks;
import io.distributedlock.internal.time.ManualScheduler;
import io.distributedlock.internal.time.SuspendDetector;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What leases need around them at least: nothing is renewed, extended or interrupted, and callbacks run at once. */
public abstract class UnattendedLeases implements LeaseContext {

    public final ManualScheduler time = new ManualScheduler();
    private final SuspendDetector suspensions = new SuspendDetector(time, () -> {});
    private final Callbacks callbacks = new Callbacks(Runnable::run, Runnable::run, time);

    @Override
    public final ManualScheduler time() {
        return time;
    }

    @Override
    public final SuspendDetector suspensions() {
        return suspensions;
    }

    @Override
    public final Callbacks callbacks() {
        return callbacks;
    }

    @Override
    public final ReleaseMode releases() {
        return ReleaseMode.CONFIRMED;
    }

    @Override
    public final void due(HeldLease heldLease) {}

    @Override
    public final CompletableFuture<Boolean> extend(LockHold hold, Duration ttl) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final CompletableFuture<Long> fencingToken(LockHold hold) {
        throw new UnsupportedOperationException();
    }

    @Override
    public final void interruptAtLoss(LockHold hold, Runnable interrupt) {}

    @Override
    public final void interruptNoMore(LockHold hold) {}
}
