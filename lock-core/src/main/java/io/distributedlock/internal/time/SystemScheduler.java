package io.distributedlock.internal.time;

import io.distributedlock.internal.support.Warnings;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Real time: {@link System#nanoTime()} and one daemon thread for all timers of a client. Short delays are exact; longer ones may take up to 10
 * ms more, and cost next to nothing however many there are.
 */
public final class SystemScheduler implements Scheduler {

    private static final Duration EXACT_BELOW = Duration.ofMillis(200);

    private final ScheduledThreadPoolExecutor timers;
    private final TimerWheel wheel;

    public SystemScheduler() {
        timers = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "distributed-lock-timer");
            thread.setDaemon(true);
            return thread;
        });
        timers.setRemoveOnCancelPolicy(true);
        wheel = new TimerWheel(this::now, this::exactly, this::runSafely);
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
        return again(Timer.NONE, delay, task);
    }

    @Override
    public Timer again(Timer used, Duration delay, Runnable task) {
        try {
            if (delay.compareTo(EXACT_BELOW) >= 0) {
                return wheel.after(delay, task, used);
            }
            Future<?> scheduled = exactly(delay, () -> runSafely(task));
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException closed) {
            return Timer.NONE;
        }
    }

    private Future<?> exactly(Duration delay, Runnable task) {
        return timers.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** What is due while the timeline is being closed does not run any more. */
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
