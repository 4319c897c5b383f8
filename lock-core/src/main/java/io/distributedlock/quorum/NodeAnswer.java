package io.distributedlock.quorum;

import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** One node's answer, or why there is none. Both are absent for an answer without content. */
record NodeAnswer<T>(
        QuorumNode node, @Nullable T answer, @Nullable StoreException failure) {

    static <T> NodeAnswer<T> of(QuorumNode node, @Nullable T answer, @Nullable Throwable failure) {
        return new NodeAnswer<>(node, answer, failure == null ? null : classify(failure));
    }

    /** Whatever a store throws that is not classified may have had an effect. */
    private static StoreException classify(Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        return cause instanceof StoreException known ? known : StoreException.unknown("unexpected " + cause, cause);
    }

    boolean isAnswer() {
        return failure == null;
    }

    /** Why there is no answer, for messages; empty if there is one. */
    String reason() {
        return failure == null ? "" : String.valueOf(failure.getMessage());
    }

    /** Whether the node may have done what it was asked, or may still do it, without having said so. */
    boolean isUnknown() {
        return failure != null && failure.effect() == Effect.UNKNOWN;
    }
}
