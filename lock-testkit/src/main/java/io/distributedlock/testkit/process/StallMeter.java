package io.distributedlock.testkit.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how late this machine runs a thread whose time has come, be it that other processes have the processors or
 * that the JVM collects garbage. Limits of time in tests grow by it.
 */
public final class StallMeter implements AutoCloseable {

    private static final long STEP_NANOS = 5_000_000;

    private final Thread thread = new Thread(this::run, "stall-meter");
    private volatile long longest;
    private volatile long total;
    private volatile boolean closed;

    /** Begins to measure. */
    public StallMeter() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        long sum = 0;
        while (!closed) {
            long begin = System.nanoTime();
            LockSupport.parkNanos(STEP_NANOS);
            long late = Math.max(0, System.nanoTime() - begin - STEP_NANOS);
            sum += late;
            total = sum;
            longest = Math.max(longest, late);
        }
    }

    /** The longest delay so far. */
    public Duration longest() {
        return Duration.ofNanos(longest);
    }

    /** All delays so far together: what may be added to the time of something that has gone on since the beginning. */
    public Duration total() {
        return Duration.ofNanos(total);
    }

    @Override
    public void close() {
        closed = true;
    }
}
