package io.distributedlock.internal.time;

import io.distributedlock.internal.support.Warnings;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Real time: {@link System#nanoTime()} and one daemon thread for all timers of a client.
 *
 * <p>Short delays are exact. Delays of {@link #EXACT_BELOW} and more end on a grid of {@link #TICK}: tasks that are due
 * in one tick run one after the other, so that the renewals among them share a command.
 */
public final class SystemScheduler implements Scheduler {

    private static final Duration EXACT_BELOW = Duration.ofMillis(200);
    private static final Duration TICK = Duration.ofMillis(10);
    private static final long LONGEST = Long.MAX_VALUE / 4;

    private final ScheduledThreadPoolExecutor timers;

    public SystemScheduler() {
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
    public long wallClock() {
        return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        long nanos = Math.min(delay.toNanos(), LONGEST);
        if (delay.compareTo(EXACT_BELOW) >= 0) {
            nanos += TICK.toNanos() - Math.floorMod(now() + nanos, TICK.toNanos());
        }
        try {
            Future<?> scheduled = timers.schedule(() -> runSafely(task), nanos, TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException closed) {
            return Timer.NONE;
        }
    }

    /** What is due while the scheduler is being closed does not run any more. */
    private void runSafely(Runnable task) {
        if (timers.isShutdown()) {
            return;
        }
        try {
            task.run();
        } catch (RuntimeException | Error unexpected) {
            Warnings.write(
                    SystemScheduler.class, "A timer task of the lock client failed; other timers go on", unexpected);
        }
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }
}
