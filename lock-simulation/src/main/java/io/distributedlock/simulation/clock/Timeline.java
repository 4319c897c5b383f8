package io.distributedlock.simulation.clock;

import java.time.Duration;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** True time, in nanoseconds, and what is to happen. Tasks run one by one, in the order in which they are due. */
public final class Timeline {

    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private long now;
    private long planned;

    /** What is to happen at an instant. */
    public static final class Task implements Comparable<Task> {

        private final long due;
        private final long number;
        private @Nullable Runnable work;

        private Task(long due, long number, Runnable work) {
            this.due = due;
            this.number = number;
            this.work = work;
        }

        public void cancel() {
            work = null;
        }

        @Override
        public int compareTo(Task other) {
            return due == other.due ? Long.compare(number, other.number) : Long.compare(due, other.due);
        }
    }

    public long now() {
        return now;
    }

    /** How many tasks were planned so far: a measure for the work of a run. */
    public long planned() {
        return planned;
    }

    public Task after(long nanos, Runnable work) {
        return at(now + Math.max(0, nanos), work);
    }

    public Task at(long instant, Runnable work) {
        Task task = new Task(Math.max(now, instant), ++planned, work);
        tasks.add(task);
        return task;
    }

    /** Runs the next task, unless it is due later than {@code limit}; the time is that limit then. */
    public boolean step(long limit) {
        Task next = tasks.peek();
        if (next == null || next.due > limit) {
            now = Math.max(now, limit);
            return false;
        }
        tasks.poll();
        now = next.due;
        Runnable work = next.work;
        if (work != null) {
            work.run();
        }
        return true;
    }

    public void advance(Duration by) {
        long limit = now + by.toNanos();
        while (step(limit)) {
            // One task after the other.
        }
    }
}
