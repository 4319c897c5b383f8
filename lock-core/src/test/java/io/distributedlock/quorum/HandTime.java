package io.distributedlock.quorum;

import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/** Time that stands still until a test moves it. Timers run in the moving thread, in the order in which they are due. */
final class HandTime implements Timeline {

    /** Close to the end of the range, so that the clock overflows within most tests, as a monotonic clock may. */
    private static final long START = Long.MAX_VALUE - Duration.ofMillis(100).toNanos();

    private final ConcurrentSkipListSet<Task> tasks =
            new ConcurrentSkipListSet<>(Comparator.comparingLong(Task::due).thenComparingLong(Task::number));
    private final AtomicLong elapsed = new AtomicLong();
    private final AtomicLong numbers = new AtomicLong();

    private record Task(long due, long number, Runnable work) {}

    @Override
    public long now() {
        return START + elapsed.get();
    }

    @Override
    public Runnable after(Duration delay, Runnable work) {
        Task task = new Task(elapsed.get() + delay.toNanos(), numbers.incrementAndGet(), work);
        tasks.add(task);
        return () -> tasks.remove(task);
    }

    /** Lets time pass and runs every timer that becomes due, at the very moment at which it is due. */
    void advance(Duration by) {
        long end = elapsed.get() + by.toNanos();
        while (!tasks.isEmpty() && tasks.first().due() <= end) {
            Task next = tasks.pollFirst();
            elapsed.accumulateAndGet(next.due(), Math::max);
            next.work().run();
        }
        elapsed.accumulateAndGet(end, Math::max);
    }

    /** Lets time pass without running any timer, as if the process had been paused. */
    void pause(Duration by) {
        elapsed.addAndGet(by.toNanos());
    }

    int timers() {
        return tasks.size();
    }

    @Override
    public void close() {
        tasks.clear();
    }
}
