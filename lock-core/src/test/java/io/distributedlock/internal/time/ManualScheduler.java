package io.distributedlock.internal.time;

import java.time.Duration;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/** Time that stands still until a test moves it. Timers run in the moving thread, in the order in which they are due. */
public final class ManualScheduler implements Scheduler {

    /** Close to the end of the range, so that the clock overflows within most tests, as a monotonic clock may. */
    private static final long START = Long.MAX_VALUE - Duration.ofMillis(1_500).toNanos();

    private final ConcurrentSkipListSet<Task> tasks = new ConcurrentSkipListSet<>();
    private final AtomicLong elapsed = new AtomicLong();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong wallClockAhead = new AtomicLong();
    private volatile boolean closed;

    private record Task(long due, long number, Runnable work) implements Comparable<Task> {

        @Override
        public int compareTo(Task other) {
            return due == other.due ? Long.compare(number, other.number) : Long.compare(due, other.due);
        }
    }

    @Override
    public long now() {
        return START + elapsed.get();
    }

    @Override
    public long wallClock() {
        return now() + wallClockAhead.get();
    }

    @Override
    public Timer after(Duration delay, Runnable work) {
        if (closed) {
            return Timer.NONE;
        }
        Task task = new Task(elapsed.get() + Math.max(0, delay.toNanos()), numbers.incrementAndGet(), work);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    /** Lets time pass and runs every timer that becomes due, at the very moment at which it is due. */
    public void advance(Duration by) {
        long end = elapsed.get() + by.toNanos();
        while (!tasks.isEmpty() && tasks.first().due() <= end) {
            Task next = tasks.pollFirst();
            elapsed.accumulateAndGet(next.due(), Math::max);
            next.work().run();
        }
        elapsed.accumulateAndGet(end, Math::max);
    }

    /** Runs what is due now. */
    public void runDue() {
        advance(Duration.ZERO);
    }

    /** Lets time pass until the next timer is due, and runs what is due then. */
    public void advanceToNextTimer() {
        advance(Duration.ofNanos(Math.max(0, tasks.first().due() - elapsed.get())));
    }

    /** Lets time pass without running any timer, as if the process had been paused. */
    public void pause(Duration by) {
        elapsed.addAndGet(by.toNanos());
    }

    /** Lets the wall clock go on alone, as if the machine had been suspended, or the wall clock set. */
    public void suspend(Duration by) {
        wallClockAhead.addAndGet(by.toNanos());
    }

    /** The time that has passed since this timeline was made. */
    public Duration elapsed() {
        return Duration.ofNanos(elapsed.get());
    }

    /** How many timers are set. */
    public int timers() {
        return tasks.size();
    }

    @Override
    public void close() {
        closed = true;
        tasks.clear();
    }
}
