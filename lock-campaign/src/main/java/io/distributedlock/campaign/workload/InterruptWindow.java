package io.distributedlock.campaign.workload;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The time in which the thread that opened it may be interrupted: once, and never after the window is closed. */
final class InterruptWindow implements AutoCloseable {

    private static final ScheduledThreadPoolExecutor TIMERS = timers();

    private final Thread thread = Thread.currentThread();
    private final Future<?> interrupt;
    private boolean closed;

    private InterruptWindow(Duration after) {
        interrupt = TIMERS.schedule(this::interrupt, after.toNanos(), TimeUnit.NANOSECONDS);
    }

    static InterruptWindow open(Duration after) {
        return new InterruptWindow(after);
    }

    private static ScheduledThreadPoolExecutor timers() {
        ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "campaign-interrupts");
            thread.setDaemon(true);
            return thread;
        });
        timers.setRemoveOnCancelPolicy(true);
        return timers;
    }

    private synchronized void interrupt() {
        if (!closed) {
            thread.interrupt();
        }
    }

    /** Whether the interrupt has come, as the thread's flag says, which this clears. */
    boolean wasUsed() {
        return Thread.interrupted();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        interrupt.cancel(false);
        wasUsed();
    }
}
