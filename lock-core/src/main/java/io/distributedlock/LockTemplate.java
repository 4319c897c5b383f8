package io.distributedlock;

import io.distributedlock.LockObserver.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs code under a lock: acquires it, calls the code, releases it.
 *
 * <p>Re-entrant on one thread: a request for a lock that the thread runs under already is covered by it. It runs at once, sends no command,
 * sees the same fencing token, and leaves the release to the outermost call; its own ttl and wait time don't matter. Who holds a lock alone may
 * ask for a share of it, but not the reverse. Of the locks of several keys, those are taken that the thread does not have; the order of the keys
 * prevents no deadlock then, only the wait time does.
 *
 * <p>Guaranteed: the code runs only after a definite grant, and what it throws reaches the caller as it is, with trouble at the release added as
 * suppressed. If the lock was lost before the code ended, the call fails with a {@link LockLostException} although the code succeeded. Not
 * guaranteed: that the code stops when the lock is lost; long work should ask {@link LockHandle#requireHeld()} now and then, or be {@linkplain
 * LockOptions#interruptOnLoss() interrupted}.
 *
 * <p>With a {@link ReleasePolicy}, a lock can outlast the call that took it. The loss of such a lock after its call is not told by the call.
 */
public final class LockTemplate {

    private final LockClient client;
    private final ReleasePolicy releases;
    private final LockObserver observer;

    public LockTemplate(LockClient client) {
        this(client, ReleasePolicy.AT_RETURN);
    }

    public LockTemplate(LockClient client, ReleasePolicy releases) {
        this(client, releases, LockObserver.NONE);
    }

    public LockTemplate(LockClient client, ReleasePolicy releases, LockObserver observer) {
        this.client = client;
        this.releases = releases;
        this.observer = observer;
    }

    /** {@link #execute(LockRequest, LockedCall)} by a key alone, with the client's defaults. */
    public <T extends @Nullable Object, X extends Throwable> T execute(String key, LockedCall<T, X> work) throws X {
        return execute(LockRequest.of(key), work);
    }

    /**
     * Calls {@code work} under the lock and returns its result.
     *
     * @throws X what {@code work} throws
     * @throws LockNotAcquiredException if another owner holds the lock for the whole wait time; {@code work} was not called
     * @throws LockUnavailableException if the store can't be asked or gives no definite answer; {@code work} was not called
     * @throws LockInterruptedException if the thread is interrupted while it waits; {@code work} was not called
     * @throws LockLostException if the lock was lost while {@code work} ran
     * @throws IllegalStateException if the thread runs under a share of a lock that is wanted alone; {@code work} was not called
     */
    public <T extends @Nullable Object, X extends Throwable> T execute(LockRequest request, LockedCall<T, X> work)
            throws X {
        List<HeldLock> covering = LockContext.covering(client, request);
        if (covering.size() == request.keys().size()) {
            return work.call(covered(covering));
        }
        return observed(request.without(covering), including(covering, work));
    }

    /** {@link #run(LockRequest, LockedRun)} by a key alone, with the client's defaults. */
    public <X extends Throwable> void run(String key, LockedRun<X> work) throws X {
        run(LockRequest.of(key), work);
    }

    /** {@link #execute(LockRequest, LockedCall)} for work without a result. */
    public <X extends Throwable> void run(LockRequest request, LockedRun<X> work) throws X {
        execute(request, lock -> {
            work.run(lock);
            return Boolean.TRUE;
        });
    }

    /** {@link #tryExecute(LockRequest, LockedCall)} by a key alone, with the client's defaults. */
    public <T, X extends Throwable> Optional<T> tryExecute(String key, LockedCall<T, X> work) throws X {
        return tryExecute(LockRequest.of(key), work);
    }

    /** {@link #execute(LockRequest, LockedCall)}, but empty, without calling {@code work}, where that throws {@link LockNotAcquiredException}. Work that gives null is empty, too. */
    public <T, X extends Throwable> Optional<T> tryExecute(LockRequest request, LockedCall<T, X> work) throws X {
        List<HeldLock> covering = LockContext.covering(client, request);
        if (covering.size() == request.keys().size()) {
            return Optional.ofNullable(work.call(covered(covering)));
        }
        AtomicBoolean granted = new AtomicBoolean();
        try {
            LockedCall<T, X> whole = including(covering, work);
            return Optional.ofNullable(observed(request.without(covering), lock -> {
                granted.set(true);
                return whole.call(lock);
            }));
        } catch (LockNotAcquiredException refused) {
            if (granted.get()) {
                throw refused;
            }
            return Optional.empty();
        }
    }

    private static LockHandle covered(List<HeldLock> covering) {
        LockHandle lock = JointLock.of(covering);
        lock.requireHeld();
        return lock;
    }

    /** The work sees the locks that were taken for it together with those that the thread had before. */
    private static <T extends @Nullable Object, X extends Throwable> LockedCall<T, X> including(
            List<HeldLock> before, LockedCall<T, X> work) {
        if (before.isEmpty()) {
            return work;
        }
        return taken -> {
            List<HeldLock> all = new ArrayList<>(before);
            all.addAll(JointLock.partsOf(taken));
            return work.call(JointLock.of(all));
        };
    }

    private <T extends @Nullable Object, X extends Throwable> T observed(LockRequest request, LockedCall<T, X> work)
            throws X {
        Executor releaser = releases.releaserOf(request);
        Observed call = observer.begin(request);
        Throwable failure = null;
        try (LockObserver.Scope scope = call.enter()) {
            return callUnder(client.acquire(request), request, releaser, work);
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            call.end(failure);
        }
    }

    /**
     * Runs asynchronous work under the lock: acquired without a waiting thread, held until the stage that {@code work} returns has ended, released
     * before the result is passed on. The future fails as {@link #execute(LockRequest, LockedCall)} throws, and completes on a thread of the
     * client.
     *
     * <p>Cancelling it withdraws a claim that is still waiting; work that runs already is cancelled, and the lock is released when that work's stage has
     * ended. Not re-entrant, and not affected by the {@link ReleasePolicy}: asynchronous work has no thread of its own.
     */
    public <T> CompletableFuture<T> executeAsync(
            LockRequest request, Function<? super LockHandle, ? extends CompletionStage<T>> work) {
        Observed call = observer.begin(request);
        AsyncCall<T> asynchronous = new AsyncCall<>(lock -> {
            try (LockObserver.Scope scope = call.enter()) {
                return work.apply(lock);
            }
        });
        CompletableFuture<T> caller = asynchronous.after(client.acquireAsync(request));
        caller.whenComplete((result, failure) -> call.end(failure));
        return caller;
    }

    private static <T extends @Nullable Object, X extends Throwable> T callUnder(
            LockHandle lock, LockRequest request, Executor releaser, LockedCall<T, X> work) throws X {
        Runnable leave = LockContext.enter(lock);
        Runnable release = () -> {
            leave.run();
            lock.release();
        };
        T result;
        try {
            result = callInterruptibly(lock, request.options().interruptOnLoss(), work);
        } catch (Throwable failure) {
            releaseAfter(failure, releaser, release);
            throw failure;
        }
        releaser.execute(release);
        return result;
    }

    private static <T extends @Nullable Object, X extends Throwable> T callInterruptibly(
            LockHandle lock, boolean interruptOnLoss, LockedCall<T, X> work) throws X {
        Runnable end = LossInterrupt.guard(lock, interruptOnLoss);
        try {
            return work.call(lock);
        } finally {
            end.run();
        }
    }

    private static void releaseAfter(Throwable failure, Executor releaser, Runnable release) {
        try {
            releaser.execute(release);
        } catch (LockException atRelease) {
            failure.addSuppressed(atRelease);
        }
    }
}
