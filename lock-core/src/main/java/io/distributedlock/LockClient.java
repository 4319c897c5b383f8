package io.distributedlock;

import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the locks of one store.
 *
 * <p>Guaranteed while the store keeps its data and its clock runs: at most one holder of a lock at a time; a holder that is told before the
 * store could give its lock to somebody else; and no lock left behind, whatever happened to a reply. A call returns after its wait time and two command timeouts at the latest, plus three seconds if the connection has to be opened first.
 *
 * <p>Not guaranteed: exclusion across a failover of an asynchronously replicated store, or for a holder that is paused between its last check
 * and its write. Where that matters, let the protected resource compare {@linkplain LockHandle#fencingToken() fencing tokens}. Locks are
 * granted in the order of arrival only as far as the store has a queue, and a handle does not count re-entries: see {@link LockTemplate} for that.
 */
public final class LockClient implements AutoCloseable {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    private final LazyEngine engine;
    private final LockDefaults defaults;
    private final ThreadHolds threads = new ThreadHolds();
    private final AtomicInteger draining = new AtomicInteger();
    private volatile boolean closed;

    LockClient(LazyEngine engine, LockDefaults defaults) {
        this.engine = engine;
        this.defaults = defaults;
    }

    public static LockClientBuilder builder(LockStore store) {
        return new LockClientBuilder(store);
    }

    /** {@link #acquire(LockRequest)} by a key alone, with this client's defaults. */
    public LockHandle acquire(String key) {
        return acquire(LockRequest.of(key));
    }

    /**
     * Waits for the lock, or for the locks of several keys: these one after the other within one wait time, and if one of them can't be had, none is
     * kept. The time that commands take counts for each lock alone.
     *
     * @throws LockNotAcquiredException if another owner holds it for the whole wait time
     * @throws LockUnavailableException if the store can't be asked or gives no definite answer
     * @throws LockInterruptedException if the thread is interrupted before or meanwhile
     * @throws IllegalArgumentException if the request names a {@link LockPolicy} that this client does not have
     * @throws UnsupportedOperationException if the store has no locks of the wanted {@linkplain LockRequest#mode() mode}
     */
    public LockHandle acquire(LockRequest request) {
        if (request.isForSeveral()) {
            return severalOf(request).await();
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new LockInterruptedException(request.id());
        }
        Contender contender = start(request, Thread.currentThread());
        try {
            HeldLock lock = Await.turn(contender);
            lock.hold().bindTo(Thread.currentThread());
            lock.hold().acquiredAt(engine.get().holders().sites().here());
            return lock;
        } catch (InterruptedException interrupt) {
            LockInterruptedException interrupted = new LockInterruptedException(request.id());
            withdraw(contender, interrupted);
            Thread.currentThread().interrupt();
            throw interrupted;
        }
    }

    /** {@link #tryAcquire(LockRequest)} by a key alone, with this client's defaults. */
    public Optional<LockHandle> tryAcquire(String key) {
        return tryAcquire(LockRequest.of(key));
    }

    /** {@link #acquire(LockRequest)}, but empty where that throws a {@link LockNotAcquiredException}. */
    public Optional<LockHandle> tryAcquire(LockRequest request) {
        try {
            return Optional.of(acquire(request));
        } catch (LockNotAcquiredException refused) {
            return Optional.empty();
        }
    }

    /**
     * {@link #acquire(LockRequest)} without a waiting thread. The future fails as that method throws, and completes on a thread of this client.
     * Cancelling it, or failing it in any other way such as a time-out, withdraws the claim; a lock that was granted meanwhile is released.
     */
    public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
        try {
            return request.isForSeveral()
                    ? severalOf(request).async()
                    : acquire(request, engine.get().callbacks()::run);
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /** @param completions where the future completes */
    CompletableFuture<LockHandle> acquire(LockRequest request, Executor completions) {
        Contender contender = start(request, null);
        CompletableFuture<LockHandle> caller = new CompletableFuture<>();
        StackTraceElement site = engine.get().holders().sites().here();
        contender
                .result()
                .whenComplete((lock, failure) -> completions.execute(() -> {
                    if (lock == null) {
                        caller.completeExceptionally(failure);
                        return;
                    }
                    lock.hold().acquiredAt(site);
                    if (!caller.complete(lock)) {
                        lock.sendRelease();
                    }
                }));
        caller.whenComplete((lock, failure) -> {
            if (failure != null) {
                contender.end(new LockInterruptedException(request.id()));
            }
        });
        return caller;
    }

    private JointAcquisition severalOf(LockRequest request) {
        Duration waitTime = defaults.terms(request).waitTime();
        return new JointAcquisition(this, engine.get(), request, waitTime);
    }

    private Contender start(LockRequest request, @Nullable Thread thread) {
        Terms terms = defaults.terms(request);
        if (isShut()) {
            throw Failures.closed(terms.id());
        }
        Contender contender = engine.get().acquire(terms, thread);
        if (isShut()) {
            LockException closing = Failures.closed(terms.id());
            withdraw(contender, closing);
            throw closing;
        }
        return contender;
    }

    private static void withdraw(Contender contender, LockException reason) {
        contender.end(reason);
        contender.result().whenComplete((lock, failure) -> {
            if (lock != null) {
                lock.sendRelease();
            }
        });
    }

    /**
     * The lock of a request for code that knows {@link Lock} alone. It is re-entrant: it belongs to the thread that took it, which may take it
     * again, also through another {@code asLock} of this client for the same name and key, and has to unlock it as often. Calls of a {@link
     * LockTemplate} on that thread run under it, too.
     *
     * <p>The wait time of the request does not count: {@link Lock#lock()} waits without a limit, and {@link Lock#tryLock(long,
     * java.util.concurrent.TimeUnit)} as it says. All of them throw {@link LockUnavailableException} as {@link #acquire(LockRequest)} does, {@link
     * Lock#unlock()} throws {@link LockLostException} as {@link LockHandle#release()} does, and there are no conditions.
     *
     * @throws IllegalArgumentException if the request is for several keys
     */
    public Lock asLock(LockRequest request) {
        request.requireOneKey("a lock for one thread");
        return new ThreadLock(this, threads, request);
    }

    /** The locks that are held through this client now. */
    public Collection<LockHandle> held() {
        return engine.get().held();
    }

    /** How many claims that nobody holds are still being cleaned up, because the store has not confirmed that they are gone. */
    public int unresolved() {
        return engine.get().unresolved();
    }

    /** What this client is doing, for metrics, health checks and incidents. */
    public LockMonitor monitor() {
        return new LockMonitor(engine, defaults);
    }

    /** How many calls stand in line in this process behind one that holds their lock or asks for it. */
    int waiting() {
        return engine.get().local().waiting();
    }

    /** Tells from now on how much of the wait time of a request is left. */
    Supplier<Duration> waitTimeLeft(LockRequest request) {
        long end =
                engine.get().time().now() + defaults.terms(request).waitTime().toNanos();
        return () -> engine.get().time().until(end);
    }

    boolean isHeldHere(HeldLock lock, LockId id) {
        return lock.isOf(engine.get(), id);
    }

    /** {@link #drain(Duration, Duration)} without patience. */
    public void drain(Duration limit) {
        drain(Duration.ZERO, limit);
    }

    /**
     * Lets go of everything: calls that wait, and calls that come meanwhile, fail at once with {@link
     * LockUnavailableException.Outcome#CLOSED}; what is held is left to the work under it for {@code patience}; then the holders that are left
     * are told that their locks are {@linkplain LossReason#CLOSED lost}, and the locks are freed; and what is unresolved is cleaned up. Returns
     * as soon as all of that is done, and after {@code limit} at the latest; nothing is held then. The client can be used again afterwards.
     */
    public void drain(Duration patience, Duration limit) {
        if (!engine.isMade()) {
            return;
        }
        draining.incrementAndGet();
        try {
            Await.atMost(limit, engine.get().drain(Lease.min(patience, limit)));
            engine.get().loseAll();
        } finally {
            draining.decrementAndGet();
        }
    }

    private boolean isShut() {
        return closed || draining.get() > 0;
    }

    /** {@link #drain(Duration)} within 2 s, and the end of this client and its store. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        drain(CLOSE_LIMIT);
        engine.close();
    }
}
