package io.distributedlock.quorum;

import java.time.Duration;

/** A monotonic clock, and a timer that runs on it. Instants are values of that clock in nanoseconds. */
interface Timeline {

    long now();

    /** Runs {@code task} once, not before {@code delay} has passed; the result cancels it. The task must not block. */
    Runnable after(Duration delay, Runnable task);

    void close();

    default Duration until(long instant) {
        return Duration.ofNanos(Math.max(0, instant - now()));
    }

    default Duration since(long instant) {
        return Duration.ofNanos(Math.max(0, now() - instant));
    }
}
