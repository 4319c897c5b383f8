package io.distributedlock;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where the parts of a lock's life meet: tries become held locks, held locks are renewed, and end in a release or a loss. */
final class Engine {

    private final Set<Acquisition> running = ConcurrentHashMap.newKeySet();
    private final Set<HeldLock> releasing = ConcurrentHashMap.newKeySet();
    private final LockStore store;
    private final Timeline time;
    private final WaitStrategy waiting;
    private final Executor completions;
    private final Notifier notifier;
    private final StoreCalls calls;
    private final Watchdog watchdog;
    private final Reaper reaper;

    Engine(LockStore store, Timeline time, WaitStrategy waiting, Executor completions, Notifier notifier) {
        this.store = store;
        this.time = time;
        this.waiting = waiting;
        this.completions = completions;
        this.notifier = notifier;
        this.calls = new StoreCalls(time);
        this.watchdog = new Watchdog(store, time, calls, notifier);
        this.reaper = new Reaper(store, time);
    }

    Acquisition acquire(AcquisitionPlan plan) {
        Acquisition acquisition = new Acquisition(this, plan);
        running.add(acquisition);
        acquisition.result().whenComplete((lock, failure) -> running.remove(acquisition));
        acquisition.start();
        return acquisition;
    }

    HeldLock hold(Grant grant, Duration waited) {
        HeldLock lock = new HeldLock(this, grant);
        notifier.tell(new LockEvent.Acquired(lock.name(), lock.key(), lock.fencingToken(), waited));
        watchdog.watch(lock);
        return lock;
    }

    void notAcquired(LockException reason, Duration waited) {
        notifier.tell(new LockEvent.NotAcquired(reason.lockName(), reason.lockKey(), waited, reason));
    }

    /** Renewal ends first, so that no renewal can follow the release. */
    void release(HeldLock lock) {
        releasing.add(lock);
        watchdog.forget(lock);
        calls.within(
                lock.lease().attemptTimeout(),
                () -> store.release(lock.claim()),
                (answer, failure) -> released(lock, answer),
                (late, failure) -> {});
    }

    /** A lock that is gone was taken from its holder, unless its lease may have run out while the release was on its way. */
    private void released(HeldLock lock, @Nullable Release answer) {
        if (answer == null || (lock.grant().doubtful() && !answer.settled())) {
            reap(lock.claim(), lock.lease(), lock.longestTtl());
        }
        Duration held = time.since(lock.grant().sentAt());
        boolean taken = answer != null && !answer.held() && !lock.isOverdue();
        if (taken) {
            Notifier.runOn(completions, () -> lock.signalLoss(LossReason.NOT_OWNER));
            notifier.tell(new LockEvent.Lost(lock.name(), lock.key(), LossReason.NOT_OWNER, held));
        } else {
            notifier.tell(new LockEvent.Released(lock.name(), lock.key(), held, answer != null));
        }
        releasing.remove(lock);
        lock.releaseEnded(taken);
    }

    /** The holder is told first; only then is the lock freed for others. */
    void lost(HeldLock lock, LossReason reason) {
        watchdog.forget(lock);
        Notifier.runOn(completions, () -> {
            lock.signalLoss(reason);
            if (reason != LossReason.NOT_OWNER) {
                reap(lock.claim(), lock.lease(), lock.longestTtl());
            }
        });
        notifier.tell(new LockEvent.Lost(
                lock.name(), lock.key(), reason, time.since(lock.grant().sentAt())));
    }

    CompletableFuture<Boolean> extend(HeldLock lock, Duration ttl) {
        CompletableFuture<Boolean> caller = new CompletableFuture<>();
        if (!lock.isHeld()) {
            caller.complete(false);
            return caller;
        }
        lock.extending(ttl);
        long sentAt = time.now();
        calls.within(
                lock.lease().attemptTimeout(),
                () -> store.extend(lock.claim(), lock.grant().serverToken(), ttl),
                (held, failure) -> {
                    boolean isHeld = failure == null && extended(lock, sentAt, ttl, Boolean.TRUE.equals(held));
                    Notifier.runOn(completions, () -> {
                        if (failure != null) {
                            caller.completeExceptionally(Failures.extension(lock, failure));
                        } else {
                            caller.complete(isHeld);
                        }
                    });
                },
                (held, failure) -> {
                    if (held != null) {
                        extended(lock, sentAt, ttl, held);
                    }
                });
        return caller;
    }

    private static boolean extended(HeldLock lock, long sentAt, Duration ttl, boolean held) {
        if (held) {
            lock.extended(sentAt, ttl);
        } else {
            lock.lose(LossReason.NOT_OWNER);
        }
        return lock.isHeld();
    }

    /** @param promised the longest lease that the store was asked for in the claim's name */
    void reap(Claim claim, Lease lease, Duration promised) {
        long now = time.now();
        reaper.adopt(new Cleanup(claim, now + promised.toNanos(), lease.firstTtl(), lease.attemptTimeout()));
    }

    /** Fails everybody who waits, releases everything that is held, and completes when nothing is left to clean up. */
    CompletableFuture<Void> drain() {
        List<CompletableFuture<Void>> releases =
                new ArrayList<>(running.stream().map(Engine::withdraw).toList());
        Stream.concat(releasing.stream(), watchdog.held().stream())
                .map(HeldLock::releaseAsync)
                .forEach(releases::add);
        return CompletableFuture.allOf(releases.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> reaper.flushed())
                .thenCompose(flushed -> flushed);
    }

    /** Ends an acquisition without a lock; one that is just being handed its lock has to give it back. */
    private static CompletableFuture<Void> withdraw(Acquisition acquisition) {
        acquisition.end(Failures.closed(acquisition.plan().id()));
        return acquisition.result().thenCompose(HeldLock::releaseAsync);
    }

    void close() {
        time.close();
        notifier.close();
    }

    Collection<HeldLock> held() {
        return watchdog.held();
    }

    int unresolved() {
        return reaper.size();
    }

    CompletableFuture<?> ready() {
        try {
            return store.ready().toCompletableFuture();
        } catch (RuntimeException thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    LockStore store() {
        return store;
    }

    Timeline time() {
        return time;
    }

    WaitStrategy waiting() {
        return waiting;
    }

    StoreCalls calls() {
        return calls;
    }

    Executor completions() {
        return completions;
    }
}
