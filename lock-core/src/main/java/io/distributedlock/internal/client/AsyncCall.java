package io.distributedlock.internal.client;

import io.distributedlock.LockHandle;
import io.distributedlock.internal.event.Callbacks;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One asynchronous piece of work under a lock: granted, running, released, reported; each step follows the end of the
 * one before.
 */
final class AsyncCall<T> {

    private final CompletableFuture<T> caller = new CompletableFuture<>();
    private final boolean cancelsWork;
    private final Function<? super LockHandle, ? extends CompletionStage<T>> work;

    /** @param cancelsWork whether a caller that gives up has the work's stage cancelled */
    AsyncCall(boolean cancelsWork, Function<? super LockHandle, ? extends CompletionStage<T>> work) {
        this.cancelsWork = cancelsWork;
        this.work = work;
    }

    /** @param acquisition cancelling it withdraws the claim, and a lock that was granted meanwhile is released */
    CompletableFuture<T> after(CompletableFuture<LockHandle> acquisition) {
        acquisition.whenComplete((lock, failure) -> {
            if (lock == null) {
                caller.completeExceptionally(unwrapped(failure));
            } else {
                runUnder(lock);
            }
        });
        caller.whenComplete((result, failure) -> acquisition.cancel(false));
        return caller;
    }

    /**
     * The lock is held until the work has ended, also if its caller gave up: a caller can end its own future, but not
     * this stage.
     */
    private void runUnder(LockHandle lock) {
        if (caller.isDone()) {
            lock.releaseAsync();
            return;
        }
        CompletionStage<T> running = start(lock);
        running.whenComplete((result, failure) ->
                lock.releaseAsync().whenComplete((released, lost) -> end(result, unwrapped(failure), unwrapped(lost))));
        if (cancelsWork) {
            caller.whenComplete(
                    (result, failure) -> running.toCompletableFuture().cancel(true));
        }
    }

    private CompletionStage<T> start(LockHandle lock) {
        try {
            return Objects.requireNonNull(work.apply(lock), "The work returned no stage");
        } catch (Throwable failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private void end(@Nullable T result, @Nullable Throwable failure, @Nullable Throwable lost) {
        if (failure != null) {
            if (lost != null) {
                failure.addSuppressed(lost);
            }
            caller.completeExceptionally(failure);
        } else if (lost != null) {
            caller.completeExceptionally(lost);
        } else {
            caller.complete(result);
        }
    }

    private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
        return failure == null ? null : Callbacks.cause(failure);
    }
}
