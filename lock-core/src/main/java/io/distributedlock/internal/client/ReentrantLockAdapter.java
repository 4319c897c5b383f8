package io.distributedlock.internal.client;

import io.distributedlock.LockId;
import io.distributedlock.LockInterruptedException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockOptions;
import io.distributedlock.LockRequest;
import io.distributedlock.internal.lease.SingleLockHandle;
import io.distributedlock.internal.support.Durations;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

/** A lock that belongs to the thread that took it, for code that knows {@link Lock} alone. */
final class ReentrantLockAdapter implements Lock {

    private final Acquirer locks;
    private final Supplier<Engine> engine;
    private final HoldCounts holds;
    private final LockRequest request;
    private final LockId id;

    ReentrantLockAdapter(Acquirer locks, Supplier<Engine> engine, HoldCounts holds, LockRequest request) {
        this.locks = locks;
        this.engine = engine;
        this.holds = holds;
        this.request = request;
        this.id = request.id();
    }

    @Override
    public void lock() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    lockInterruptibly();
                    return;
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        boolean locked = false;
        while (!locked) {
            locked = within(LockOptions.MAX_DURATION);
        }
    }

    @Override
    public boolean tryLock() {
        boolean interrupted = Thread.interrupted();
        try {
            return within(Duration.ZERO);
        } catch (InterruptedException meanwhile) {
            interrupted = true;
            return false;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        Duration wait = Duration.ofNanos(Math.max(0, unit.toNanos(time)));
        return within(Durations.min(wait, LockOptions.MAX_DURATION));
    }

    private boolean within(Duration waitTime) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        List<SingleLockHandle> covering = EnteredLock.covering(engine.get(), request);
        if (holds.reenter(id, request.mode())) {
            return true;
        }
        if (!covering.isEmpty()) {
            covering.get(0).requireHeld();
            holds.enterUnder(id, request.mode(), covering.get(0));
            return true;
        }
        try {
            LockRequest inTime = request.withWaitTime(waitTime);
            holds.enter(id, request.mode(), (SingleLockHandle) locks.acquireUnexplained(inTime));
            return true;
        } catch (LockNotAcquiredException refused) {
            return false;
        } catch (LockInterruptedException interrupt) {
            Thread.interrupted();
            throw (InterruptedException) new InterruptedException(interrupt.getMessage()).initCause(interrupt);
        }
    }

    @Override
    public void unlock() {
        SingleLockHandle last = holds.leave(id, request.mode());
        if (last != null) {
            last.release();
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                "A lock that several processes share has no conditions: no thread could signal them in another"
                        + " process");
    }

    @Override
    public String toString() {
        return "Lock[" + id.display() + "]";
    }
}
