package io.distributedlock.internal.support;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Runs what one caller's end means to the next caller after it rather than inside of it, so that the depth of the stack
 * does not grow with the number of waiters.
 */
public final class Trampoline {

    private static final ThreadLocal<@Nullable Deque<Runnable>> PENDING = new ThreadLocal<>();

    private Trampoline() {}

    /**
     * Runs {@code task} now, or after the task that this thread is running; one that fails keeps none of the others
     * from running.
     */
    public static void run(Runnable task) {
        Deque<Runnable> pending = PENDING.get();
        if (pending != null) {
            pending.add(task);
            return;
        }
        Deque<Runnable> tasks = new ArrayDeque<>();
        tasks.add(task);
        PENDING.set(tasks);
        try {
            drain(tasks);
        } finally {
            PENDING.remove();
        }
    }

    /** Runs what this thread has pending, before it blocks: what it is about to wait for may be among it. */
    public static void runPending() {
        Deque<Runnable> pending = PENDING.get();
        if (pending != null) {
            drain(pending);
        }
    }

    private static void drain(Deque<Runnable> tasks) {
        Runnable next = tasks.poll();
        while (next != null) {
            try {
                next.run();
            } catch (RuntimeException | Error failure) {
                Warnings.write(Trampoline.class, "A step of the lock client failed; others go on", failure);
            }
            next = tasks.poll();
        }
    }
}
