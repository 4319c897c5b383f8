package io.distributedlock.internal.lease;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A future in a field that stays empty until it is requested or completed: most locks end without a
 * having asked.
 *
 * @param <O> whose field it is
 * @param <T> what the future gives
 */
public record LazyFuture<O, T>(AtomicReferenceFieldUpdater<O, @Nullable CompletableFuture<T>> field) {

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static <O, T> LazyFuture<O, T> in(Class<O> owner, String field) {
        return new LazyFuture(AtomicReferenceFieldUpdater.newUpdater(owner, CompletableFuture.class, field));
    }

    public CompletableFuture<T> of(O owner) {
        CompletableFuture<T> present = field.get(owner);
        if (present != null) {
            return present;
        }
        CompletableFuture<T> made = new CompletableFuture<>();
        return field.compareAndSet(owner, null, made) ? made : of(owner);
    }

    /** Completes the future unless it has been requested. Returns whether it did. */
    public boolean completeUnasked(O owner, CompletableFuture<T> done) {
        return field.compareAndSet(owner, null, done);
    }

    /**
     * Completes the future with what {@code done}, which is completed, has returned; requests from now on get that.
     */
    public void complete(O owner, CompletableFuture<T> done) {
        if (!completeUnasked(owner, done)) {
            CompletableFuture<T> awaited = of(owner);
            done.whenComplete((value, failure) -> {
                if (failure == null) {
                    awaited.complete(value);
                } else {
                    awaited.completeExceptionally(failure);
                }
            });
        }
    }
}
