package io.distributedlock.test;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Locks in memory that are refused, fail, are slow or are lost when a test says so. As a bean of a test it takes the
 * place of the application's store: {@code @Import(LockFaults.class)}.
 *
 * <p>Guaranteed: without a fault it behaves as {@link InMemoryLockStore}; what an application sees of a fault is what
 * it would see of Redis, the same exceptions and signals.
 *
 * <p>Not guaranteed: anything beyond one process. Tests that share the bean, because they share its application
 * context, should call {@link #heal()} when they end.
 */
public final class LockFaults implements LockStore {

    private final InMemoryLockStore store = new InMemoryLockStore();
    private final LockClient others = LockClient.builder(store).build();
    private final List<Runnable> whenReachable = new CopyOnWriteArrayList<>();
    private volatile boolean unreachable;
    private volatile Duration delay = Duration.ZERO;

    /**
     * Takes a lock as another process would; the application is refused until the handle is released, or until {@link
     * #heal()}.
     *
     * @throws io.distributedlock.LockNotAcquiredException if the application holds it for the whole wait time
     */
    public LockHandle occupy(LockRequest request) {
        return others.acquire(request);
    }

    /**
     * From now on the store can't be asked, until {@link #heal()}: requests for locks fail with a {@link
     * io.distributedlock.LockUnavailableException}, and locks that are held can't be renewed and are lost when their
     * lease ends.
     */
    public void becomeUnreachable() {
        unreachable = true;
    }

    /**
     * From now on every answer of the store comes so much later, until {@link #heal()}. From the command timeout on it
     * comes too late. Not guaranteed where the process stands still until both are due: it may take the answer, so a
     * test of the timeout needs a delay that is much longer.
     */
    public void answerAfter(Duration delay) {
        this.delay = delay;
    }

    /**
     * Loses all data, as Redis does that is restarted without any. Holders of renewed locks are notified at once, those
     * of locks with a ttl of their own when it is over at the latest.
     */
    public void loseEverything() {
        store.close();
        whenReachable.forEach(Runnable::run);
    }

    /** Ends all faults, and releases what was {@linkplain #occupy occupied}. */
    public void heal() {
        unreachable = false;
        delay = Duration.ZERO;
        others.held().forEach(LockHandle::releaseAsync);
        whenReachable.forEach(Runnable::run);
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        return answer(() -> store.acquire(claim, ttl, patience));
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        return answer(() -> store.extend(claim, token, ttl));
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        return answer(() -> store.release(claim));
    }

    @Override
    public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
        return answer(() -> store.releaseAfter(claim, time));
    }

    @Override
    public void onReachable(Runnable hook) {
        whenReachable.add(hook);
    }

    private <T> CompletionStage<T> answer(Supplier<CompletionStage<T>> command) {
        if (unreachable) {
            return CompletableFuture.failedFuture(
                    StoreException.notSent("The test has made the store of locks unreachable", null));
        }
        CompletionStage<T> answer = command.get();
        Duration later = delay;
        if (later.isZero()) {
            return answer;
        }
        Executor late = CompletableFuture.delayedExecutor(later.toNanos(), TimeUnit.NANOSECONDS);
        return answer.thenApplyAsync(value -> value, late);
    }

    @Override
    public void close() {
        others.close();
    }
}
