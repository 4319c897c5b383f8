package io.distributedlock;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One timer of a {@link TimerWheel}, which is also the link in the list of its slot. It holds its task until that is run or cancelled, so
 * whatever is still in a slot afterwards is small.
 */
final class WheelTimer extends AtomicReference<@Nullable Runnable> implements Timeline.Timer {

    private static final long serialVersionUID = 1L;

    private final long due;

    /** Written before the timer is put into a slot, and read by whoever took it out. */
    transient @Nullable WheelTimer next;

    WheelTimer(Runnable task, long due) {
        super(task);
        this.due = due;
    }

    /** The turn of the wheel at which this timer is due. */
    long due() {
        return due;
    }

    /** Whoever takes the task first runs it, or makes sure that nobody does. */
    void runOn(Executor runner) {
        Runnable task = getAndSet(null);
        if (task != null) {
            runner.execute(task);
        }
    }

    @Override
    public void cancel() {
        set(null);
    }

    boolean isOver() {
        return get() == null;
    }
}
