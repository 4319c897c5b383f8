package io.distributedlock.simulation.clock;

import io.distributedlock.internal.time.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A process with its clocks. While it is paused or its machine sleeps, nothing runs; what has become due meanwhile runs
 * afterwards. The monotonic clock stands still while the machine sleeps.
 */
public final class SimulatedProcess implements Scheduler {

    /** Close to the end of the range, so that the clock overflows in each run, as a monotonic clock may. */
    private static final long START = Long.MAX_VALUE - Duration.ofMillis(1_500).toNanos();

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final Timeline timeline;
    private Runnable afterEach = () -> {};
    private long slept;
    private long pausedUntil;
    private boolean ended;
    private boolean inside;

    public SimulatedProcess(Timeline timeline) {
        this.timeline = timeline;
    }

    /** Runs after each task. */
    public void afterEach(Runnable settling) {
        afterEach = settling;
    }

    @Override
    public long now() {
        return START + timeline.now() - slept;
    }

    @Override
    public long wallClock() {
        return timeline.now();
    }

    /** Runs a task when the monotonic clock has gone on for so long. */
    @Override
    public Timer after(Duration delay, Runnable task) {
        Planned planned = new Planned(now() + Math.max(0, delay.toNanos()), task);
        planned.plan();
        return planned;
    }

    private final class Planned implements Timer, Runnable {

        private final long due;
        private @Nullable Runnable work;
        private Timeline.@Nullable Task task;

        Planned(long due, Runnable work) {
            this.due = due;
            this.work = work;
        }

        void plan() {
            task = timeline.after(due - now(), this);
        }

        @Override
        public void run() {
            if (due - now() > 0) {
                plan();
            } else if (work != null) {
                SimulatedProcess.this.run(this::work);
            }
        }

        private void work() {
            Runnable wanted = work;
            if (wanted != null) {
                wanted.run();
            }
        }

        @Override
        public void cancel() {
            work = null;
            if (task != null) {
                task.cancel();
            }
        }
    }

    /** Something reaches the process. */
    public void run(Runnable work) {
        if (ended) {
            return;
        }
        if (isPaused()) {
            waiting.add(work);
        } else if (inside) {
            work.run();
        } else {
            inside = true;
            try {
                work.run();
                afterEach.run();
            } finally {
                inside = false;
            }
        }
    }

    public boolean isPaused() {
        return pausedUntil > timeline.now();
    }

    public boolean isEnded() {
        return ended;
    }

    /** It stands still, as in a long collection. */
    public void pause(Duration time) {
        pausedUntil = Math.max(pausedUntil, timeline.now() + time.toNanos());
        timeline.at(pausedUntil, this::resume);
    }

    /** Its machine sleeps. */
    public void sleep(Duration time) {
        if (!isPaused()) {
            pause(time);
            timeline.after(time.toNanos() - 1, () -> slept += time.toNanos() - 1);
        }
    }

    private void resume() {
        while (!isPaused() && !waiting.isEmpty()) {
            run(waiting.remove());
        }
    }

    /** It is killed. */
    public void end() {
        ended = true;
        waiting.clear();
    }

    @Override
    public void close() {}
}
