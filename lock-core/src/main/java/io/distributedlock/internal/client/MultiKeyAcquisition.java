package io.distributedlock.internal.client;

import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.internal.event.Callbacks;
import io.distributedlock.internal.lease.CompositeLockHandle;
import io.distributedlock.internal.lease.SingleLockHandle;
import io.distributedlock.internal.support.Await;
import io.distributedlock.internal.support.ExceptionMessages;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The way to the locks of several keys: one after the other in the order of their keys, all within one wait time, all
 * or none.
 *
 * <p>The order is the same for everybody, so that no two callers can hold what the other one waits for. Each step
 * follows where the last one ended; only the end of all is where callers' futures complete.
 */
final class MultiKeyAcquisition {

    private final Acquirer locks;
    private final Scheduler time;
    private final Callbacks callbacks;
    private final Refusals refusals;
    private final List<LockRequest> wanted;
    private final long startedAt;
    private final long spentAt;
    private final CompletableFuture<LockHandle> caller = new CompletableFuture<>();
    private volatile CompletableFuture<?> step = caller;

    /** @param waitTime for all locks together */
    MultiKeyAcquisition(Acquirer locks, Engine engine, LockRequest request, Duration waitTime) {
        this.locks = locks;
        this.time = engine.time();
        this.callbacks = engine.callbacks();
        this.refusals = engine.refusals();
        this.wanted = request.keys().stream().map(request::withKey).toList();
        this.startedAt = time.now();
        this.spentAt = startedAt + waitTime.toNanos();
    }

    private LockRequest next(List<SingleLockHandle> taken) {
        return wanted.get(taken.size()).withWaitTime(time.until(spentAt));
    }

    /** Waits with the calling thread, to which the locks belong then. A refusal does not say who holds the lock. */
    LockHandle await() {
        while (true) {
            List<SingleLockHandle> taken = new ArrayList<>();
            try {
                while (taken.size() < wanted.size()) {
                    taken.add((SingleLockHandle) locks.acquireUnexplained(next(taken)));
                }
                if (Await.uninterruptibly(levelled(taken))) {
                    return CompositeLockHandle.of(taken);
                }
            } catch (Throwable failure) {
                Await.uninterruptibly(givenBack(taken));
                throw failure;
            }
            Await.uninterruptibly(givenBack(taken));
            requireTime();
        }
    }

    /** The same without a waiting thread. A caller that ends the future otherwise gets none of the locks. */
    CompletableFuture<LockHandle> async() {
        caller.whenComplete((lock, failure) -> {
            if (failure != null) {
                step.cancel(false);
            }
        });
        take(new ArrayList<>());
        return caller;
    }

    private void take(List<SingleLockHandle> taken) {
        if (taken.size() == wanted.size()) {
            levelled(taken).whenComplete((held, failure) -> settle(taken, Boolean.TRUE.equals(held), failure));
            return;
        }
        CompletableFuture<LockHandle> next = acquireNext(taken);
        step = next;
        next.whenComplete((lock, failure) -> {
            if (lock == null) {
                fail(taken, failure);
            } else {
                taken.add((SingleLockHandle) lock);
                goOn(taken);
            }
        });
        if (caller.isDone()) {
            next.cancel(false);
        }
    }

    private CompletableFuture<LockHandle> acquireNext(List<SingleLockHandle> taken) {
        try {
            return locks.acquireUnexplained(next(taken), Runnable::run);
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private void goOn(List<SingleLockHandle> taken) {
        if (caller.isDone()) {
            givenBack(taken);
        } else {
            take(taken);
        }
    }

    private void settle(List<SingleLockHandle> taken, boolean held, @Nullable Throwable failure) {
        if (failure != null) {
            fail(taken, failure);
        } else if (held) {
            callbacks.run(() -> {
                if (!caller.complete(CompositeLockHandle.of(taken))) {
                    givenBack(taken);
                }
            });
        } else {
            givenBack(taken).thenRun(this::again);
        }
    }

    private void again() {
        try {
            requireTime();
            goOn(new ArrayList<>());
        } catch (LockException refused) {
            callbacks.run(() -> caller.completeExceptionally(refused));
        }
    }

    /** The locks are given back before anything is asked about the one that was refused. */
    private void fail(List<SingleLockHandle> taken, Throwable failure) {
        givenBack(taken)
                .thenRun(() -> refusals.explain(
                        Callbacks.cause(failure), known -> callbacks.run(() -> caller.completeExceptionally(known))));
    }

    /** Completes, never with a failure, when the locks are free or on their way to be. */
    private static CompletableFuture<Boolean> givenBack(List<SingleLockHandle> taken) {
        return CompositeLockHandle.release(taken).handle((done, failure) -> failure == null);
    }

    /**
     * The leases that are not renewed have run while later locks were waited for, so that they begin anew. Completes
     * with false if a lock was lost meanwhile.
     */
    private static CompletableFuture<Boolean> levelled(List<SingleLockHandle> taken) {
        CompletableFuture<?>[] extensions = taken.stream()
                .filter(SingleLockHandle::isAged)
                .map(SingleLockHandle::prolonged)
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(extensions)
                .thenApply(done -> taken.stream().allMatch(LockHandle::isHeld));
    }

    /** @throws LockException if there is no time for another round after one in which a lock was lost */
    private void requireTime() {
        if (time.until(spentAt).isZero()) {
            StoreException lost = StoreException.notSent("a lock was lost while the others were taken", null);
            throw ExceptionMessages.unavailable(wanted.get(0).id(), time.since(startedAt), lost);
        }
    }
}
