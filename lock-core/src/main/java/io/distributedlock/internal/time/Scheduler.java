package io.distributedlock.internal.time;

import java.time.Duration;

/**
 * The engine's only source of time: a monotonic clock, and a timer that runs on it. Instants are values of that clock
 * in nanoseconds.
 */
public interface Scheduler {

    /** Now, on a clock that never goes back. Only differences mean anything. */
    long now();

    /** Now, on the wall clock, in nanoseconds. It may jump, so nothing is decided by it: it only makes suspicious. */
    long wallClock();

    /** Runs {@code task} once, not before {@code delay} has passed. The task must not block. */
    Timer after(Duration delay, Runnable task);

    /** Ends all timers. What has not run yet never will. */
    void close();

    /** What is left from now until {@code instant}; zero if it has passed. */
    default Duration until(long instant) {
        return Duration.ofNanos(Math.max(0, instant - now()));
    }

    /** What has passed since {@code instant}. */
    default Duration since(long instant) {
        return Duration.ofNanos(Math.max(0, now() - instant));
    }

    /** A task that has not run yet. */
    @FunctionalInterface
    interface Timer {

        Timer NONE = () -> {};

        void cancel();
    }
}
