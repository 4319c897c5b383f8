package io.distributedlock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One asynchronous piece of work under a lock: granted, running, released, told; each step follows the end of the one before. */
final class AsyncCall<T> {

    private final CompletableFuture<T> caller = new CompletableFuture<>();
    private final Function<? super LockHandle, ? extends CompletionStage<T>> work;

    AsyncCall(Function<? super LockHandle, ? extends CompletionStage<T>> work) {
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

    /** The lock is held until the work has ended, also if the caller gave up: cancelling asks the work to end. */
    private void runUnder(LockHandle lock) {
        if (caller.isDone()) {
            lock.releaseAsync();
            return;
        }
        CompletableFuture<T> running = start(lock);
        running.whenComplete((result, failure) ->
                lock.releaseAsync().whenComplete((released, lost) -> end(result, unwrapped(failure), unwrapped(lost))));
        caller.whenComplete((result, failure) -> running.cancel(true));
    }

    private CompletableFuture<T> start(LockHandle lock) {
        try {
            return work.apply(lock).toCompletableFuture();
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
