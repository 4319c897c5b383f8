package io.distributedlock.internal.client;

import io.distributedlock.LockHandle;
import io.distributedlock.internal.lease.CompositeLockHandle;
import io.distributedlock.internal.lease.SingleLockHandle;
import java.util.List;

/**
 * Interrupts the thread that works under a lock when that lock is lost: while the work runs, and not a moment longer.
 */
final class LossInterrupt {

    /** For work that is not interrupted. */
    private static final Runnable NONE = () -> {};

    private final Object monitor = new Object();
    private final List<SingleLockHandle> locks;
    private final Thread worker = Thread.currentThread();
    private boolean running = true;
    private boolean struck;

    /**
     * Guards work that the current thread is about to do under {@code lock}.
     *
     * @return to be run by the same thread when the work has ended. No interrupt follows, and the flag is cleared if it
     *     was set from here
     */
    static Runnable guard(LockHandle lock, boolean wanted) {
        if (!wanted) {
            return NONE;
        }
        boolean ours = lock instanceof SingleLockHandle || lock instanceof CompositeLockHandle;
        LossInterrupt guard = new LossInterrupt(ours ? CompositeLockHandle.partsOf(lock) : List.of());
        if (!ours) {
            lock.lost().thenRun(guard::strike);
        }
        guard.locks.forEach(part -> part.context().interruptAtLoss(part.hold(), guard::strike));
        return guard::end;
    }

    private LossInterrupt(List<SingleLockHandle> locks) {
        this.locks = locks;
    }

    /** Within the monitor, so that an interrupt that has been decided on is over when the end of the work is. */
    void strike() {
        synchronized (monitor) {
            if (running && !worker.isInterrupted()) {
                struck = true;
                worker.interrupt();
            }
        }
    }

    private void end() {
        locks.forEach(part -> part.context().interruptNoMore(part.hold()));
        synchronized (monitor) {
            running = false;
            if (struck) {
                Thread.interrupted();
            }
        }
    }
}
