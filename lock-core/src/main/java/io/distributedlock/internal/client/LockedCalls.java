package io.distributedlock.internal.client;

import io.distributedlock.LockClient;
import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockObserver;
import io.distributedlock.LockObserver.Observed;
import io.distributedlock.LockRequest;
import io.distributedlock.LockedCall;
import io.distributedlock.ReleasePolicy;
import io.distributedlock.internal.lease.CompositeLockHandle;
import io.distributedlock.internal.lease.SingleLockHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls that one template runs under locks. */
public final class LockedCalls {

    private final LockClient client;
    private final ReleasePolicy releases;
    private final LockObserver observer;
    private final LockOrder order = new LockOrder();

    public LockedCalls(LockClient client, ReleasePolicy releases, LockObserver observer) {
        this.client = client;
        this.releases = releases;
        this.observer = observer;
    }

    public <T extends @Nullable Object, X extends Throwable> T execute(LockRequest request, LockedCall<T, X> work)
            throws X {
        List<SingleLockHandle> covering = covering(request);
        if (covering.size() == request.keys().size()) {
            return work.call(covered(covering));
        }
        order.requested(EnteredLock.current(), request.name());
        return observed(without(request, covering), client::acquire, including(covering, work));
    }

    public <T, X extends Throwable> Optional<T> tryExecute(LockRequest request, LockedCall<T, X> work) throws X {
        List<SingleLockHandle> covering = covering(request);
        if (covering.size() == request.keys().size()) {
            return Optional.ofNullable(work.call(covered(covering)));
        }
        AtomicBoolean granted = new AtomicBoolean();
        try {
            LockedCall<T, X> whole = including(covering, work);
            LockRequest tried = DefaultLockClient.waitingOnlyIfAsked(without(request, covering));
            return Optional.ofNullable(observed(tried, this::acquireUnexplained, lock -> {
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

    /** The wanted locks that the thread holds already. */
    private List<SingleLockHandle> covering(LockRequest request) {
        return client instanceof DefaultLockClient ours ? ours.covering(request) : List.of();
    }

    /** What is left to ask for by a thread that has these locks; there has to be something. */
    private static LockRequest without(LockRequest request, List<SingleLockHandle> locks) {
        if (locks.isEmpty()) {
            return request;
        }
        List<String> had = locks.stream().map(SingleLockHandle::key).toList();
        List<String> keys =
                request.keys().stream().filter(key -> !had.contains(key)).toList();
        return new LockRequest(request.name(), keys, request.mode(), request.options());
    }

    private static LockHandle covered(List<SingleLockHandle> covering) {
        LockHandle lock = CompositeLockHandle.of(covering);
        lock.requireHeld();
        return lock;
    }

    /** The work sees the locks that were taken for it together with those that the thread had before. */
    private static <T extends @Nullable Object, X extends Throwable> LockedCall<T, X> including(
            List<SingleLockHandle> before, LockedCall<T, X> work) {
        if (before.isEmpty()) {
            return work;
        }
        return taken -> {
            List<SingleLockHandle> all = new ArrayList<>(before);
            all.addAll(CompositeLockHandle.partsOf(taken));
            return work.call(CompositeLockHandle.of(all));
        };
    }

    /** For a call that does not show the refusal. */
    private LockHandle acquireUnexplained(LockRequest request) {
        return client instanceof DefaultLockClient ours ? ours.acquireUnexplained(request) : client.acquire(request);
    }

    private <T extends @Nullable Object, X extends Throwable> T observed(
            LockRequest request, Function<LockRequest, LockHandle> acquisition, LockedCall<T, X> work) throws X {
        Executor releaser = releases.releaserOf(request);
        Observed call = observer.begin(request);
        Throwable failure = null;
        try (LockObserver.Scope scope = call.enter()) {
            return callUnder(acquisition.apply(request), request, releaser, work);
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            call.end(failure);
        }
    }

    public <T> CompletableFuture<T> executeAsync(
            LockRequest request, Function<? super LockHandle, ? extends CompletionStage<T>> work) {
        Observed call = observer.begin(request);
        AsyncCall<T> asynchronous = new AsyncCall<>(request.options().cancelWork(), lock -> {
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
        Runnable leave = EnteredLock.enter(lock);
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
