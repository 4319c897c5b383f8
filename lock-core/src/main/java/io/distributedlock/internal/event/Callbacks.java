package io.distributedlock.internal.event;

import io.distributedlock.internal.support.Warnings;
import io.distributedlock.internal.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs what callers have attached to their futures: away from the threads that do the locking, and never needed by
 * them. Each step of the engine goes on without these threads, however long callers' code blocks them.
 *
 * <p>Losses are signalled on threads of their own, so that work that blocks where futures complete delays none of them.
 */
public final class Callbacks {

    /** For how long the callbacks of one signal keep what follows it waiting. */
    static final Duration SIGNAL_LIMIT = Duration.ofMillis(100);

    /** So many signals can have callbacks that block before one of them delays another. */
    private static final int SIGNAL_THREADS = 16;

    private final Executor completions;
    private final Executor signals;
    private final Scheduler time;
    private final AtomicBoolean exhausted = new AtomicBoolean();

    /**
     * @param completions where callers' futures complete
     * @param signals where losses are signalled
     */
    public Callbacks(Executor completions, Executor signals, Scheduler time) {
        this.completions = completions;
        this.signals = signals;
        this.time = time;
    }

    public static ExecutorService completionThreads() {
        return EventDispatcher.daemons("distributed-lock-completions", 2, Integer.MAX_VALUE);
    }

    public static ExecutorService signalThreads() {
        return EventDispatcher.daemons("distributed-lock-signals", SIGNAL_THREADS, Integer.MAX_VALUE);
    }

    /** Runs {@code completion} where callers' futures complete. It runs in any case, if need be here. */
    public void run(Runnable completion) {
        Runnable once = once(completion);
        if (!isAccepted(completions, once) && !isAccepted(signals, once)) {
            once.run();
        }
    }

    /**
     * Runs the callbacks of a signal, and {@code then} when they have returned; after {@link #SIGNAL_LIMIT} at the
     * latest, because what follows a signal must not wait for callers.
     */
    public void signal(Runnable callbacks, Runnable then) {
        AtomicBoolean started = new AtomicBoolean();
        Runnable end = once(then);
        Scheduler.Timer limit = time.after(SIGNAL_LIMIT, () -> {
            warnUnless(started.get());
            end.run();
        });
        Runnable signal = once(() -> {
            started.set(true);
            try {
                callbacks.run();
            } finally {
                limit.cancel();
                end.run();
            }
        });
        if (!isAccepted(signals, signal)) {
            run(signal);
        }
    }

    /** Once until a signal is in time again. */
    private void warnUnless(boolean inTime) {
        if (!exhausted.getAndSet(!inTime) && !inTime) {
            Warnings.write(
                    Callbacks.class,
                    "Callbacks of lost() block all " + SIGNAL_THREADS
                            + " threads that signal losses, so that further holders learn late of theirs; isHeld()"
                            + " is right at once."
                            + " Use thenRunAsync(..) for what blocks");
        }
    }

    /** A future for a caller that ends as {@code step} does. */
    public <T> CompletableFuture<T> after(CompletableFuture<T> step) {
        CompletableFuture<T> caller = new CompletableFuture<>();
        step.whenComplete((result, failure) -> run(() -> end(caller, result, failure)));
        return caller;
    }

    private static <T> void end(CompletableFuture<T> caller, @Nullable T result, @Nullable Throwable failure) {
        if (failure == null) {
            caller.complete(result);
        } else {
            caller.completeExceptionally(cause(failure));
        }
    }

    /** What a stage failed with, without the wrapper that its dependents see. */
    public static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static boolean isAccepted(Executor executor, Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RuntimeException | Error refused) {
            return false;
        }
    }

    private static Runnable once(Runnable task) {
        AtomicBoolean started = new AtomicBoolean();
        return () -> {
            if (started.compareAndSet(false, true)) {
                task.run();
            }
        };
    }
}
