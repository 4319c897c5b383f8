package io.distributedlock.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One question at a time; its answer is for all that asked since the last one was put, so it is never older than their
 * call.
 */
final class SingleFlight<T> {

    private final Supplier<CompletionStage<T>> question;

    /** Guards what follows. */
    private final Object gate = new Object();

    private boolean asking;
    private @Nullable CompletableFuture<T> next;

    SingleFlight(Supplier<CompletionStage<T>> question) {
        this.question = question;
    }

    /** The answer to a question that is put after this call. */
    CompletionStage<T> answer() {
        CompletableFuture<T> mine;
        synchronized (gate) {
            if (next != null) {
                return next;
            }
            mine = new CompletableFuture<>();
            next = mine;
            if (asking) {
                return mine;
            }
            asking = true;
        }
        ask();
        return mine;
    }

    private void ask() {
        CompletableFuture<T> round;
        synchronized (gate) {
            round = next;
            next = null;
            asking = round != null;
        }
        if (round != null) {
            put().whenComplete((answer, failure) -> {
                if (failure == null) {
                    round.complete(answer);
                } else {
                    round.completeExceptionally(failure);
                }
                ask();
            });
        }
    }

    private CompletionStage<T> put() {
        try {
            return question.get();
        } catch (RuntimeException notSent) {
            return CompletableFuture.failedFuture(notSent);
        }
    }
}
