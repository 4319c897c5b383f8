package io.distributedlock;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Real time: {@link System#nanoTime()} and one daemon thread for all timers of a client. */
final class SystemTimeline implements Timeline {

    private static final System.Logger LOG = System.getLogger(SystemTimeline.class.getName());

    private final ScheduledThreadPoolExecutor timers;

    SystemTimeline() {
        timers = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "distributed-lock-timer");
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
    public Timer after(Duration delay, Runnable task) {
        try {
            Future<?> scheduled = timers.schedule(() -> runSafely(task), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException closed) {
            return Timer.NONE;
        }
    }

    private static void runSafely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error unexpected) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "A timer task of the lock client failed; other timers go on",
                    unexpected);
        }
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }
}
