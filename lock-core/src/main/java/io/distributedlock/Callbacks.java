package io.distributedlock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs what callers have attached to their futures: away from the threads that do the locking, and never needed by them. Each step of the engine goes
 * on without these threads, however long callers' code blocks them.
 */
final class Callbacks {

    private final Executor completions;

    /** @param completions where callers' futures complete */
    Callbacks(Executor completions) {
        this.completions = completions;
    }

    /** Runs {@code completion} there, or here if the executor refuses it: a caller's future has to complete in any case. */
    void run(Runnable completion) {
        AtomicBoolean started = new AtomicBoolean();
        Runnable once = () -> {
            if (started.compareAndSet(false, true)) {
                completion.run();
            }
        };
        try {
            completions.execute(once);
        } catch (RuntimeException | Error refused) {
            once.run();
        }
    }

    /** A future for a caller that ends as {@code step} does. */
    <T> CompletableFuture<T> after(CompletableFuture<T> step) {
        CompletableFuture<T> caller = new CompletableFuture<>();
        step.whenComplete((result, failure) -> run(() -> end(caller, result, failure)));
        return caller;
    }

    static <T> void end(CompletableFuture<T> caller, @Nullable T result, @Nullable Throwable failure) {
        if (failure == null) {
            caller.complete(result);
        } else {
            caller.completeExceptionally(cause(failure));
        }
    }

    /** What a stage failed with, without the wrapper that its dependents see. */
    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
