package io.distributedlock;

import io.distributedlock.internal.client.LockedCalls;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs code under a lock: acquires it, calls the code, releases it.
 *
 * <p>Re-entrant on one thread: a request for a lock that the thread runs under already is covered by it. It runs at
 * once, sends no command, sees the same fencing token, and leaves the release to the outermost call; its own ttl and
 * wait time don't matter. Who holds a lock alone may ask for a share of it, but not the reverse. Of the locks of
 * several keys, those are taken that the thread does not have; the order of the keys prevents no deadlock then, only
 * the wait time does.
 *
 * <p>Guaranteed: the code runs only after a definite grant, and what it throws reaches the caller as it is, with
 * trouble at the release added as suppressed. If the lock was lost before the code ended, the call fails with a {@link
 * LockLostException} although the code succeeded. Not guaranteed: that the code stops when the lock is lost; long work
 * should ask {@link LockHandle#requireHeld()} now and then, or be {@linkplain LockOptions#interruptOnLoss()
 * interrupted}.
 *
 * <p>With a {@link ReleasePolicy}, a lock can outlast the call that took it. The call does not report the loss
 * of such a lock after its end.
 *
 * <p>Covering needs a client of {@link LockClient#builder}: the locks of another implementation are always taken.
 */
public final class LockTemplate {

    private final LockedCalls calls;

    public LockTemplate(LockClient client) {
        this(client, ReleasePolicy.AT_RETURN);
    }

    public LockTemplate(LockClient client, ReleasePolicy releases) {
        this(client, releases, LockObserver.NONE);
    }

    public LockTemplate(LockClient client, ReleasePolicy releases, LockObserver observer) {
        this.calls = new LockedCalls(client, releases, observer);
    }

    /** {@link #execute(LockRequest, LockedCall)} for the lock of this name. */
    public <T extends @Nullable Object, X extends Throwable> T execute(String name, LockedCall<T, X> work) throws X {
        return execute(LockRequest.of(name), work);
    }

    /**
     * Calls {@code work} under the lock and returns its result.
     *
     * @throws X what {@code work} throws
     * @throws LockNotAcquiredException if another owner holds the lock for the whole wait time; {@code work} was not
     *     called
     * @throws LockUnavailableException if the store can't be asked or gives no definite answer; {@code work} was not
     *     called
     * @throws LockInterruptedException if the thread is interrupted while it waits; {@code work} was not called
     * @throws LockLostException if the lock was lost while {@code work} ran
     * @throws IllegalStateException if the thread runs under a share of a lock that is wanted alone; {@code work} was
     *     not called
     */
    public <T extends @Nullable Object, X extends Throwable> T execute(LockRequest request, LockedCall<T, X> work)
            throws X {
        return calls.execute(request, work);
    }

    /** {@link #run(LockRequest, LockedRun)} for the lock of this name. */
    public <X extends Throwable> void run(String name, LockedRun<X> work) throws X {
        run(LockRequest.of(name), work);
    }

    /** {@link #execute(LockRequest, LockedCall)} for work without a result. */
    public <X extends Throwable> void run(LockRequest request, LockedRun<X> work) throws X {
        execute(request, lock -> {
            work.run(lock);
            return Boolean.TRUE;
        });
    }

    /** {@link #tryExecute(LockRequest, LockedCall)} for the lock of this name. */
    public <T, X extends Throwable> Optional<T> tryExecute(String name, LockedCall<T, X> work) throws X {
        return tryExecute(LockRequest.of(name), work);
    }

    /**
     * {@link #execute(LockRequest, LockedCall)}, but empty, without calling {@code work}, where that throws {@link
     * LockNotAcquiredException}. Work that returns null is empty, too: see {@link #tryRun(LockRequest, LockedRun)}.
     *
     * <p>It waits only if the request has a {@linkplain LockRequest#withWaitTime wait time}: neither the client's
     * default nor a policy counts.
     */
    public <T, X extends Throwable> Optional<T> tryExecute(LockRequest request, LockedCall<T, X> work) throws X {
        return calls.tryExecute(request, work);
    }

    /** {@link #tryRun(LockRequest, LockedRun)} for the lock of this name. */
    public <X extends Throwable> boolean tryRun(String name, LockedRun<X> work) throws X {
        return tryRun(LockRequest.of(name), work);
    }

    /**
     * {@link #tryExecute(LockRequest, LockedCall)} for work without a result.
     *
     * @return whether the work was done; false if another owner holds the lock
     */
    public <X extends Throwable> boolean tryRun(LockRequest request, LockedRun<X> work) throws X {
        return tryExecute(request, lock -> {
                    work.run(lock);
                    return Boolean.TRUE;
                })
                .isPresent();
    }

    /**
     * Runs asynchronous work under the lock: acquired without a waiting thread, held until the stage that {@code work}
     * returns has ended, released before the result is passed on. The future fails as {@link #execute(LockRequest,
     * LockedCall)} throws, and completes on a thread of the client.
     *
     * <p>Cancelling it, or a time-out that ends it, withdraws a claim that is still waiting. <strong>Work that runs
     * already goes on, and the lock is held until its stage has ended</strong>, because what is cancelled need not
     * stop; {@link LockOptions#cancelWork()} has that stage cancelled, too. Not re-entrant, and not affected by the
     * {@link ReleasePolicy}: asynchronous work has no thread of its own.
     */
    public <T> CompletableFuture<T> executeAsync(
            LockRequest request, Function<? super LockHandle, ? extends CompletionStage<T>> work) {
        return calls.executeAsync(request, work);
    }

    /**
     * Work without a result that runs under a lock.
     *
     * @param <X> what the work may throw
     */
    @FunctionalInterface
    public interface LockedRun<X extends Throwable> {

        void run(LockHandle lock) throws X;
    }
}
