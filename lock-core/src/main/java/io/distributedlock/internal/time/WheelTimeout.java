package io.distributedlock.internal.time;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One timer of a {@link TimerWheel}. It holds its task until that is run or cancelled, so whatever is still in a slot afterwards is small. Once it
 * is in no slot any more, it can be set again.
 */
final class WheelTimeout extends AtomicReference<@Nullable Runnable> implements Scheduler.Timer {

    private static final long serialVersionUID = 1L;
    private static final AtomicIntegerFieldUpdater<WheelTimeout> IN_SLOT =
            AtomicIntegerFieldUpdater.newUpdater(WheelTimeout.class, "inSlot");

    private volatile int inSlot;

    /** Written before the timer is put into a slot, and read by whoever took it out. */
    private long due;

    /** Sets it, unless it is still in a slot or somebody else sets it. Returns whether it did. */
    boolean set(Runnable task, long dueAt) {
        if (!IN_SLOT.compareAndSet(this, 0, 1)) {
            return false;
        }
        due = dueAt;
        set(task);
        return true;
    }

    /** The turn of the wheel at which this timer is due. */
    long due() {
        return due;
    }

    /** Whoever takes the task first runs it, or makes sure that nobody does. */
    @Nullable
    Runnable take() {
        return getAndSet(null);
    }

    /** It is in no slot any more. Its task has to be taken before. */
    void leaveSlot() {
        inSlot = 0;
    }

    @Override
    public void cancel() {
        set(null);
    }

    boolean isOver() {
        return get() == null;
    }
}
