package io.distributedlock.quorum;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Real time: {@link System#nanoTime()} and one daemon thread for all timers of a quorum. */
final class SystemTimeline implements Timeline {

    private static final Runnable NOTHING = () -> {};

    private final ScheduledThreadPoolExecutor timers;

    SystemTimeline() {
        timers = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "distributed-lock-quorum");
            thread.setDaemon(true);
            return thread;
        });
        timers.setRemoveOnCancelPolicy(true);
    }

    @Override
    public long now() {
        return System.nanoTime();
    }

    @Override
    public Runnable after(Duration delay, Runnable task) {
        try {
            Future<?> scheduled = timers.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException closed) {
            return NOTHING;
        }
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }
}
