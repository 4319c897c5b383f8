package io.distributedlock.internal.client;

import io.distributedlock.LockClient;
import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockId;
import io.distributedlock.LockInterruptedException;
import io.distributedlock.LockMonitor;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.internal.acquire.LockWaiter;
import io.distributedlock.internal.lease.ResolvedRequest;
import io.distributedlock.internal.lease.SingleLockHandle;
import io.distributedlock.internal.policy.LockDefaults;
import io.distributedlock.internal.support.Await;
import io.distributedlock.internal.support.Durations;
import io.distributedlock.internal.support.ExceptionMessages;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The client of one engine, which is made when the first lock is wanted. */
public final class DefaultLockClient implements LockClient, Acquirer {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    /** What exceptions name that are about no lock. */
    private static final LockId CONNECTION = LockId.of("distributed-lock", "connection");

    private final LazyEngine engine;
    private final LockDefaults defaults;
    private final HoldCounts threads = new HoldCounts();
    private final AtomicInteger draining = new AtomicInteger();
    private volatile boolean closed;

    DefaultLockClient(LazyEngine engine, LockDefaults defaults) {
        this.engine = engine;
        this.defaults = defaults;
    }

    @Override
    public void connect(Duration limit) {
        if (isShut()) {
            throw ExceptionMessages.closed(CONNECTION);
        }
        CompletableFuture<Boolean> caller = new CompletableFuture<>();
        engine.get()
                .calls()
                .within(
                        limit,
                        () -> engine.get().ready().thenApply(open -> Boolean.TRUE),
                        (open, failure) -> {
                            if (failure == null) {
                                caller.complete(open);
                            } else {
                                caller.completeExceptionally(
                                        ExceptionMessages.notConnected(CONNECTION, limit, failure));
                            }
                        },
                        (late, failure) -> {});
        Await.uninterruptibly(caller);
    }

    @Override
    public LockHandle acquire(LockRequest request) {
        try {
            return acquireUnexplained(request);
        } catch (LockNotAcquiredException refused) {
            throw engine.get().refusals().explained(refused);
        }
    }

    @Override
    public LockHandle acquireUnexplained(LockRequest request) {
        if (request.keys().size() > 1) {
            return severalOf(request).await();
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new LockInterruptedException(request.id());
        }
        LockWaiter waiter = start(request, Thread.currentThread());
        try {
            SingleLockHandle lock = waiter.await();
            lock.hold().bindTo(Thread.currentThread());
            lock.hold().acquiredAt(engine.get().holders().site());
            return lock;
        } catch (InterruptedException interrupt) {
            LockInterruptedException interrupted = new LockInterruptedException(request.id());
            withdraw(waiter, interrupted);
            Thread.currentThread().interrupt();
            throw interrupted;
        }
    }

    @Override
    public Optional<LockHandle> tryAcquire(LockRequest request) {
        try {
            return Optional.of(acquireUnexplained(waitingOnlyIfAsked(request)));
        } catch (LockNotAcquiredException refused) {
            return Optional.empty();
        }
    }

    /** The request of a method that tries: a wait time that the request leaves open is zero. */
    static LockRequest waitingOnlyIfAsked(LockRequest request) {
        return request.options().waitTime() == null ? request.withWaitTime(Duration.ZERO) : request;
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(LockRequest request) {
        try {
            return request.keys().size() > 1
                    ? severalOf(request).async()
                    : acquire(
                            request, engine.get().callbacks()::run, engine.get().refusals()::explain);
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    @Override
    public CompletableFuture<LockHandle> acquireUnexplained(LockRequest request, Executor completions) {
        return acquire(request, completions, (failure, then) -> then.accept(failure));
    }

    private CompletableFuture<LockHandle> acquire(
            LockRequest request, Executor completions, BiConsumer<Throwable, Consumer<Throwable>> explanation) {
        LockWaiter waiter = start(request, null);
        CompletableFuture<LockHandle> caller = new CompletableFuture<>();
        StackTraceElement site = engine.get().holders().site();
        waiter.result().whenComplete((lock, failure) -> {
            if (lock == null) {
                explanation.accept(failure, known -> completions.execute(() -> caller.completeExceptionally(known)));
                return;
            }
            completions.execute(() -> {
                lock.hold().acquiredAt(site);
                if (!caller.complete(lock)) {
                    lock.sendRelease();
                }
            });
        });
        caller.whenComplete((lock, failure) -> {
            if (failure != null) {
                waiter.end(new LockInterruptedException(request.id()));
            }
        });
        return caller;
    }

    private MultiKeyAcquisition severalOf(LockRequest request) {
        return new MultiKeyAcquisition(this, engine.get(), request, defaults.waitTime(request));
    }

    private LockWaiter start(LockRequest request, @Nullable Thread thread) {
        ResolvedRequest terms = defaults.terms(request);
        if (isShut()) {
            throw ExceptionMessages.closed(terms.id());
        }
        LockWaiter waiter = engine.get().acquire(terms, thread);
        if (isShut()) {
            LockException closing = ExceptionMessages.closed(terms.id());
            withdraw(waiter, closing);
            throw closing;
        }
        return waiter;
    }

    private static void withdraw(LockWaiter waiter, LockException reason) {
        waiter.end(reason);
        waiter.result().whenComplete((lock, failure) -> {
            if (lock != null) {
                lock.sendRelease();
            }
        });
    }

    @Override
    public Lock asLock(LockRequest request) {
        if (request.keys().size() > 1) {
            throw new IllegalArgumentException("Lock '" + request.name() + "' is wanted for "
                    + request.keys().size() + " keys, but a lock for one thread has one");
        }
        return new ReentrantLockAdapter(this, engine, threads, request);
    }

    @Override
    public Collection<LockHandle> held() {
        return engine.get().held();
    }

    @Override
    public int unresolved() {
        return engine.get().unresolved();
    }

    @Override
    public LockMonitor monitor() {
        return new EngineMonitor(engine, defaults);
    }

    public Engine engine() {
        return engine.get();
    }

    /** How many calls stand in line in this process behind one that holds their lock or asks for it. */
    public int waiting() {
        return engine.get().local().waiting();
    }

    /** The wanted locks that the calling thread runs under already. */
    List<SingleLockHandle> covering(LockRequest request) {
        return EnteredLock.covering(engine.get(), request);
    }

    @Override
    public void drain(Duration patience, Duration limit) {
        if (!engine.isMade()) {
            return;
        }
        draining.incrementAndGet();
        try {
            CompletableFuture<Void> drained = engine.get().drain(Durations.min(patience, limit));
            Await.atMost(limit, drained);
            engine.get().loseAll();
            drained.cancel(false);
        } finally {
            draining.decrementAndGet();
        }
    }

    private boolean isShut() {
        return closed || draining.get() > 0;
    }

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
