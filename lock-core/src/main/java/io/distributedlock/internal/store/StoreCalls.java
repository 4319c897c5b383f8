package io.distributedlock.internal.store;

import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Store calls with a deadline of ours. A reply that comes after the deadline is not lost: it is delivered as late. */
public final class StoreCalls {

    private final Scheduler time;

    public StoreCalls(Scheduler time) {
        this.time = time;
    }

    /**
     * Makes a call and hands over exactly one outcome in time: its answer, its failure, or at the deadline an unknown
     * effect. An answer that is there when the call returns is never late, however short the deadline is.
     *
     * @param late is given the answer or the failure that arrives after the deadline
     */
    public <T> void within(
            Duration deadline,
            Supplier<CompletionStage<T>> call,
            BiConsumer<@Nullable T, @Nullable StoreException> outcome,
            BiConsumer<@Nullable T, @Nullable StoreException> late) {
        Pending<T> pending = new Pending<>(deadline, outcome, late);
        start(call).whenComplete(pending);
        if (!pending.get()) {
            pending.limitBy(time);
        }
    }

    /**
     * One call, until it has an outcome: true from then on. One object for all of it, because there is one for each
     * renewal.
     */
    private static final class Pending<T> extends AtomicBoolean
            implements Runnable, BiConsumer<@Nullable T, @Nullable Throwable> {

        private static final long serialVersionUID = 1L;

        private final transient Duration deadline;
        private final transient BiConsumer<@Nullable T, @Nullable StoreException> outcome;
        private final transient BiConsumer<@Nullable T, @Nullable StoreException> late;
        private transient volatile Scheduler.Timer timer = Scheduler.Timer.NONE;

        Pending(
                Duration deadline,
                BiConsumer<@Nullable T, @Nullable StoreException> outcome,
                BiConsumer<@Nullable T, @Nullable StoreException> late) {
            this.deadline = deadline;
            this.outcome = outcome;
            this.late = late;
        }

        /** Looked at once more afterwards, because a reply that came meanwhile has found no timer to cancel. */
        void limitBy(Scheduler time) {
            timer = time.after(deadline, this);
            if (get()) {
                timer.cancel();
            }
        }

        /** The deadline has come. */
        @Override
        public void run() {
            if (compareAndSet(false, true)) {
                outcome.accept(null, StoreException.unknown("no reply within " + deadline.toMillis() + " ms", null));
            }
        }

        /** The reply has come. */
        @Override
        public void accept(@Nullable T answer, @Nullable Throwable failure) {
            StoreException classified = failure == null ? null : classify(failure);
            if (compareAndSet(false, true)) {
                timer.cancel();
                outcome.accept(answer, classified);
            } else {
                late.accept(answer, classified);
            }
        }
    }

    private static <T> CompletionStage<T> start(Supplier<CompletionStage<T>> call) {
        try {
            return Objects.requireNonNull(call.get(), "The store gave no stage");
        } catch (RuntimeException | Error thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    /** Whatever a store throws that is not classified may have had an effect. */
    public static StoreException classify(Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
        return cause instanceof StoreException known ? known : StoreException.unknown("unexpected " + cause, cause);
    }
}
