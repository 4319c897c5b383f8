package io.distributedlock.internal.support;

import io.distributedlock.LockException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The one place where a thread waits for a future, after it has done what it owes to others. Everything else is
 * asynchronous.
 */
public final class Await {

    private Await() {}

    /** Waits; an interrupt goes to the caller as it is. */
    public static <T> T interruptibly(CompletableFuture<T> future) throws InterruptedException {
        doWhatIsOwed(future);
        try {
            return future.get();
        } catch (ExecutionException failed) {
            throw unchecked(failed.getCause());
        }
    }

    /** Waits whatever happens; an interrupt meanwhile is kept in the thread's flag. */
    public static <T> T uninterruptibly(CompletableFuture<T> future) {
        doWhatIsOwed(future);
        try {
            return future.join();
        } catch (CompletionException failed) {
            throw unchecked(failed.getCause());
        }
    }

    /**
     * Waits at most {@code limit}, whatever the outcome; an interrupt ends the wait and is kept in the thread's flag.
     */
    public static void atMost(Duration limit, CompletableFuture<?> future) {
        doWhatIsOwed(future);
        try {
            future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException ended) {
            return;
        }
    }

    private static void doWhatIsOwed(CompletableFuture<?> future) {
        if (!future.isDone()) {
            Trampoline.runPending();
        }
    }

    /** The failure itself, with the stack of the thread that waited: that is where its caller looks. */
    private static RuntimeException unchecked(@Nullable Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof LockException known) {
            known.fillInStackTrace();
            return known;
        }
        return new IllegalStateException("A lock operation failed in an unexpected way: " + failure, failure);
    }
}
