package io.distributedlock.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** What was lost, in a line for each cause, and for how long this process stood still at worst meanwhile. */
final class LossTable {

    private final List<String> lines = new ArrayList<>();
    private final AtomicLong stall = new AtomicLong();
    private final Thread meter = new Thread(this::measureStalls, "stall-meter");
    private int injections;

    void begin() {
        meter.start();
    }

    private void measureStalls() {
        long step = TimeUnit.MILLISECONDS.toNanos(1);
        while (!Thread.currentThread().isInterrupted()) {
            long before = System.nanoTime();
            LockSupport.parkNanos(step);
            stall.accumulateAndGet(System.nanoTime() - before - step, Math::max);
        }
    }

    /** Prints the table. */
    void end() throws InterruptedException {
        meter.interrupt();
        meter.join();
        System.out.printf(
                "%-34s %8s %9s %13s %14s %s%n",
                "cause", "injected", "signalled", "before expiry", "worst delay", "least ahead");
        lines.forEach(System.out::println);
        System.out.printf(
                "%-34s %8d; this process stood still for up to %d ms%n", "all", injections, stall().toMillis());
    }

    void add(LossRow row) {
        add(row.injections(), row.line());
    }

    void add(int injected, String line) {
        injections += injected;
        lines.add(line);
    }

    Duration stall() {
        return Duration.ofNanos(stall.get());
    }

    int injections() {
        return injections;
    }
}
