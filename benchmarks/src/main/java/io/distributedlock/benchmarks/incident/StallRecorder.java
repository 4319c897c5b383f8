package io.distributedlock.benchmarks.incident;

import java.time.Duration;

/** How long this process was kept from running at worst: whatever is measured here can be that much too long. */
final class StallRecorder implements AutoCloseable {

    private static final Duration STEP = Duration.ofMillis(1);

    private final Thread clock = new Thread(this::run, "stalls");
    private volatile Duration longest = Duration.ZERO;

    StallRecorder() {
        clock.setDaemon(true);
        clock.start();
    }

    Duration longest() {
        return longest;
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            long begin = System.nanoTime();
            LockKeyProbe.pause(STEP);
            Duration stall = Duration.ofNanos(System.nanoTime() - begin).minus(STEP);
            longest = stall.compareTo(longest) > 0 ? stall : longest;
        }
    }

    @Override
    public void close() {
        clock.interrupt();
    }
}
