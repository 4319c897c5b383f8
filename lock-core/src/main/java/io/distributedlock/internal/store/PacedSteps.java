package io.distributedlock.internal.store;

import io.distributedlock.internal.time.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * Many steps without a burst: many clients find at the same moment that a server is back, so each lets the commands of
 * others through.
 */
final class PacedSteps {

    /** How many steps follow each other without a pause. */
    static final int TOGETHER = 100;

    static final Duration PAUSE = Duration.ofMillis(10);

    private PacedSteps() {}

    /** Runs the first steps now, and the others on the scheduler's thread. A step must not throw. */
    static <T> void forEach(Scheduler time, Collection<T> items, Consumer<? super T> step) {
        run(time, new ArrayDeque<>(items), step);
    }

    private static <T> void run(Scheduler time, Queue<T> left, Consumer<? super T> step) {
        for (int i = 0; i < TOGETHER && !left.isEmpty(); i++) {
            step.accept(left.remove());
        }
        if (!left.isEmpty()) {
            time.after(PAUSE, () -> run(time, left, step));
        }
    }
}
