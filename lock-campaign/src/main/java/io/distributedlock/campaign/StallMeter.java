package io.distributedlock.campaign;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Measures how late this machine runs a thread whose time has come. */
final class StallMeter implements AutoCloseable {

    private static final long STEP_NANOS = 5_000_000;

    private final Thread thread = new Thread(this::run, "campaign-stall-meter");
    private volatile long longest;
    private volatile boolean closed;

    StallMeter() {
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!closed) {
            long begin = System.nanoTime();
            LockSupport.parkNanos(STEP_NANOS);
            longest = Math.max(longest, System.nanoTime() - begin - STEP_NANOS);
        }
    }

    /** The longest delay so far. */
    Duration longest() {
        return Duration.ofNanos(longest);
    }

    @Override
    public void close() {
        closed = true;
    }
}
