package io.distributedlock.internal.acquire;

import io.distributedlock.LockException;
import io.distributedlock.LockId;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LeaseTermination;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.lease.SingleLockHandle;
import io.distributedlock.internal.support.ExceptionMessages;
import io.distributedlock.internal.support.Trampoline;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes this process one waiter for each lock. Of its callers that want the same lock only the first one talks to the
 * store, and the lock passes between them without a command (lock cohorting: Dice, Marathe and Shavit, 2012).
 *
 * <p>When its slice is over, a lock goes back to the store, which gives it to the next process; the next caller here
 * queues there right behind. A lease that lies open for a waiter whose thread does not run goes back soon, too, and
 * that waiter to the end of the line. Callers that share a lock don't stand in line: each of them deals with the store.
 *
 * <p>Each step changes one line under a guard and says what follows from it; that is done after the guard, so no
 * caller's code and no command runs under it.
 */
public final class LocalQueue {

    /** For how long a lease lies open at most for a waiter that was woken and does not come. */
    static final Duration OPEN_LIMIT = Duration.ofMillis(10);

    private static final int GUARDS = 64;
    private static final Runnable NOTHING = () -> {};

    /** Of a lock without waiters the lease alone, because a line costs more than many other parts of a held lock. */
    private final Map<LockId, Object> lines = new ConcurrentHashMap<>();
    /** So that one thread at a time changes a line. */
    private final List<Lock> guards =
            IntStream.range(0, GUARDS).<Lock>mapToObj(i -> new ReentrantLock()).toList();

    private final AtomicInteger waiting = new AtomicInteger();
    private final Scheduler time;
    private final LeaseTermination termination;
    private final LocalQueueSettings settings;

    public LocalQueue(Scheduler time, LeaseTermination termination, LocalQueueSettings settings) {
        this.time = time;
        this.termination = termination;
        this.settings = settings;
    }

    /** How many callers wait here, for whatever lock. */
    public int waiting() {
        return waiting.get();
    }

    /** A caller arrives: it takes what lies open, or deals with the store, or waits. */
    void join(LockWaiter waiter) {
        if (waiter.isShared()) {
            waiter.ask();
            return;
        }
        change(waiter.id(), line -> {
            if (line.isUnattended()) {
                line.letAsk(waiter);
                return waiter::ask;
            }
            HeldLease open = line.allowsBarging() ? line.openLease() : null;
            SingleLockHandle taken = open == null ? null : line.pass(open, waiter);
            return taken == null ? admit(line, waiter) : () -> waiter.takeOver(taken);
        });
    }

    private Runnable admit(WaitQueue line, LockWaiter waiter) {
        HeldLease heldLease = line.heldLease();
        if (heldLease != null) {
            // It may have run out while the machine was suspended, and its holder may not ask for it.
            heldLease.context().suspensions().look();
        }
        if (!waiter.isPatient() && line.isHeld()) {
            return () -> waiter.refuse(heldLease);
        }
        LockException full = full(line, waiter);
        if (full != null) {
            return () -> waiter.fail(full);
        }
        waiting.incrementAndGet();
        if (!waiter.isPatient()) {
            line.follow(waiter);
            return NOTHING;
        }
        line.append(waiter);
        return waiter::waitInLine;
    }

    /**
     * A waiter that was woken, because a lease lies open, looks for it. It goes on waiting if another caller was
     * quicker.
     */
    void turn(LockWaiter waiter) {
        change(waiter.id(), line -> {
            HeldLease open = line.openLease();
            if (open == null || !line.isWaiting(waiter)) {
                return NOTHING;
            }
            SingleLockHandle taken = line.pass(open, waiter);
            if (taken == null) {
                return abandon(line, open);
            }
            remove(line, waiter);
            return () -> waiter.takeOver(taken);
        });
    }

    /**
     * The wait of a caller is over. It leaves the queue before its call fails, so it delays no other waiter. If the
     * lock was just asked for, it stays for the answer, unless it has waited for one before for as long as any is
     * waited for.
     */
    void timeOut(LockWaiter waiter) {
        change(waiter.id(), line -> {
            if (!line.isWaiting(waiter)) {
                return NOTHING;
            }
            boolean held = line.wasHeldSince(waiter.since());
            if (!held && line.asking() != null && !waiter.hasWaitedForAnAnswer()) {
                line.follow(waiter);
                return NOTHING;
            }
            HeldLease heldLease = line.heldLease();
            Runnable next = takeOut(line, waiter);
            return both(held ? () -> waiter.refuse(heldLease) : waiter::giveUp, next);
        });
    }

    /** A caller does not want the lock any more, wherever it stands. */
    void leave(LockWaiter waiter) {
        change(waiter.id(), line -> {
            if (line.asking() == waiter) {
                line.hasAsked(false);
            }
            return takeOut(line, waiter);
        });
    }

    /**
     * Out of the line. If it had been woken because a lease lies open, the next one is, or the store gets that back.
     */
    private Runnable takeOut(WaitQueue line, LockWaiter waiter) {
        boolean wasFirst = line.first() == waiter;
        remove(line, waiter);
        HeldLease open = line.openLease();
        if (open == null || !wasFirst) {
            return NOTHING;
        }
        LockWaiter first = line.first();
        return first != null && line.fits(open, first) ? first::wake : abandon(line, open);
    }

    /** An open lease goes back to the store. */
    private Runnable abandon(WaitQueue line, HeldLease open) {
        line.forget(open);
        return () -> termination.abandon(open);
    }

    /** The store has granted the lock to the caller that dealt with it. */
    public void granted(HeldLease heldLease) {
        change(heldLease.id(), line -> {
            line.granted(heldLease);
            return answer(line, follower -> follower.refuse(heldLease));
        });
    }

    /** The store has refused the caller that deals with it, which goes on waiting. */
    void refused(LockWaiter waiter) {
        if (waiter.isShared()) {
            waitSharing(waiter);
            return;
        }
        change(
                waiter.id(),
                line -> line.asking() == waiter ? answer(line, follower -> follower.refuse(null)) : NOTHING);
    }

    /** One that wants a share counts as waiting from the first refusal until its end. */
    private void waitSharing(LockWaiter waiter) {
        change(waiter.id(), line -> {
            if (line.isSharing(waiter)) {
                return NOTHING;
            }
            LockException full = full(line, waiter);
            if (full != null) {
                return () -> waiter.end(full);
            }
            waiting.incrementAndGet();
            line.waitsSharing(waiter);
            return () -> waiter.result()
                    .whenComplete((lock, failure) -> change(waiter.id(), later -> {
                        remove(later, waiter);
                        return NOTHING;
                    }));
        });
    }

    /** Why it can't wait; null if it can. */
    private @Nullable LockException full(WaitQueue line, LockWaiter waiter) {
        int before = line.waiters();
        int inAll = waiting.get();
        return before >= settings.maxPerLock() || inAll >= settings.maxInAll()
                ? ExceptionMessages.tooManyWaiters(waiter.id(), before, inAll)
                : null;
    }

    /** The store has not answered a try of the caller that deals with it, which goes on trying. */
    void unanswered(LockWaiter waiter, StoreException failure) {
        change(
                waiter.id(),
                line -> line.asking() == waiter ? answer(line, follower -> follower.failLike(failure)) : NOTHING);
    }

    /**
     * The caller that dealt with the store got no lock. If there was no answer, waiters that have waited as long fail
     * as well.
     */
    void failed(LockWaiter waiter, LockException failure) {
        change(waiter.id(), line -> {
            if (line.asking() != waiter) {
                return NOTHING;
            }
            boolean refused = failure instanceof LockNotAcquiredException;
            boolean unanswered = waiter.isUnanswered(failure);
            line.hasAsked(refused || unanswered || waiter.isRefused());
            if (refused || waiter.isRefused()) {
                line.seenHeld();
            }
            if (refused) {
                return answer(line, follower -> follower.refuse(null));
            }
            if (!unanswered) {
                return NOTHING;
            }
            line.waiting().stream()
                    .filter(LockWaiter::hasWaitedForAnAnswer)
                    .toList()
                    .forEach(line::follow);
            return answer(line, follower -> follower.failLike(failure));
        });
    }

    /** The store's answer, or its silence, counts for all who follow the one who asked. */
    private Runnable answer(WaitQueue line, Consumer<LockWaiter> end) {
        List<LockWaiter> followers = List.copyOf(line.followers());
        followers.forEach(follower -> remove(line, follower));
        return followers.isEmpty() ? NOTHING : () -> followers.forEach(end);
    }

    /** A turn has ended in order: the next one follows, or the store gets its lock back. */
    public void release(LockHold hold) {
        if (hold.heldLease().isShared()) {
            termination.giveBack(hold);
            return;
        }
        change(hold.id(), line -> {
            LockWaiter first = line.first();
            if (first == null || !line.isPassedOn(hold, first)) {
                return giveBack(line, hold);
            }
            if (settings.barging() && line.allowsBarging()) {
                boolean limited = line.open();
                termination.endForHandover(hold);
                Runnable wake = limited ? first::wake : both(first::wake, () -> limitOpenLease(hold.id(), OPEN_LIMIT));
                return both(wake, () -> termination.passedOn(hold));
            }
            SingleLockHandle next = line.pass(hold.heldLease(), first);
            if (next == null) {
                return giveBack(line, hold);
            }
            remove(line, first);
            termination.endForHandover(hold);
            return both(() -> Trampoline.run(() -> first.takeOver(next)), () -> termination.passedOn(hold));
        });
    }

    /** One timer for each line, however often a lease is opened meanwhile. */
    private void limitOpenLease(LockId id, Duration delay) {
        time.after(
                delay,
                () -> change(id, line -> {
                    HeldLease open = line.openLease();
                    if (open == null) {
                        line.isLimitedNoMore();
                        return NOTHING;
                    }
                    Duration left = time.until(line.openedAt() + OPEN_LIMIT.toNanos());
                    if (!left.isZero()) {
                        return () -> limitOpenLease(id, left);
                    }
                    line.isLimitedNoMore();
                    line.firstGoesLast();
                    return abandon(line, open);
                }));
    }

    private Runnable giveBack(WaitQueue line, LockHold hold) {
        line.forget(hold.heldLease());
        return () -> termination.giveBack(hold);
    }

    /** A lease was lost; the first waiter, if there is one, asks the store. */
    public void over(HeldLease heldLease) {
        change(heldLease.id(), line -> {
            line.forget(heldLease);
            return NOTHING;
        });
    }

    private void remove(WaitQueue line, LockWaiter waiter) {
        if (line.remove(waiter)) {
            waiting.decrementAndGet();
        }
    }

    /** Changes the line of a lock. The step must neither block nor run callers' code; what it returns follows it. */
    private void change(LockId id, Function<WaitQueue, Runnable> step) {
        Lock guard = guards.get((id.hashCode() ^ (id.hashCode() >>> 16)) & (GUARDS - 1));
        Runnable deed;
        guard.lock();
        try {
            Object before = lines.get(id);
            WaitQueue line = before instanceof WaitQueue known ? known : new WaitQueue(time, (HeldLease) before);
            deed = changed(line, step);
            Object after = line.reduced();
            if (after == null) {
                lines.remove(id);
            } else if (after != before) {
                lines.put(id, after);
            }
        } finally {
            guard.unlock();
        }
        deed.run();
    }

    /**
     * Whatever a step does: no waiter that has time stays in a line where no call holds the lock or deals with the
     * store, and a lease that is over keeps no waiter from the lock. What a step means to its own caller is done at
     * once; the next caller follows after it.
     */
    private Runnable changed(WaitQueue line, Function<WaitQueue, Runnable> step) {
        Runnable ending = forgetOver(line);
        Runnable deed = step.apply(line);
        LockWaiter next = line.isUnattended() ? line.nextToAsk() : null;
        return both(both(ending, deed), next == null ? NOTHING : promote(line, next));
    }

    private Runnable promote(WaitQueue line, LockWaiter next) {
        remove(line, next);
        line.letAsk(next);
        return () -> Trampoline.run(next::askInTurn);
    }

    private Runnable forgetOver(WaitQueue line) {
        HeldLease held = line.heldLease();
        if (held == null || (!held.isOver() && !held.isOverdue())) {
            return NOTHING;
        }
        line.forget(held);
        return held.isOver() ? NOTHING : held::endsIfOverdue;
    }

    /** The second one is done, too, if the first one fails. */
    private static Runnable both(Runnable first, Runnable second) {
        if (first == NOTHING) {
            return second;
        }
        return second == NOTHING
                ? first
                : () -> {
                    try {
                        first.run();
                    } finally {
                        second.run();
                    }
                };
    }
}
