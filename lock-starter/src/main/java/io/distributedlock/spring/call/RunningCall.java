package io.distributedlock.spring.call;

import io.distributedlock.LockHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method that returns a future, until that future is complete. Cancelling it cancels that future, and does
 * not end the call by itself: while the method runs, its lock is held.
 */
final class RunningCall extends CompletableFuture<Object> {

    private final AtomicReference<@Nullable CompletableFuture<?>> inner = new AtomicReference<>();
    private volatile boolean givenUp;

    void start(DeferredCall call, LockHandle lock) {
        CompletableFuture<?> returned;
        try {
            returned = call.proceed(lock) instanceof CompletionStage<?> stage
                    ? stage.toCompletableFuture()
                    : CompletableFuture.completedFuture(null);
        } catch (Throwable failure) {
            completeExceptionally(failure);
            return;
        }
        inner.set(returned);
        if (givenUp) {
            returned.cancel(true);
        }
        returned.whenComplete((value, failure) -> {
            if (failure == null) {
                complete(value);
            } else {
                completeExceptionally(
                        failure instanceof CompletionException && failure.getCause() != null
                                ? failure.getCause()
                                : failure);
            }
        });
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        givenUp = true;
        CompletableFuture<?> returned = inner.get();
        return returned != null && returned.cancel(mayInterruptIfRunning);
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
