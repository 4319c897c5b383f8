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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes this process one contender for each lock. Of its callers that want the same lock only the first one talks to the store, and a renewed
 * lock passes between them without a command (lock cohorting: Dice, Marathe and Shavit, 2012).
 *
 * <p>When its slice is over, a lock goes back to the store, which gives it to the next process; the next caller here queues there right behind.
 * A lease that lies open for a waiter whose thread does not run goes back soon, too, and that waiter to the end of the line.
 * Callers that share a lock don't stand in line: each of them deals with the store.
 *
 * <p>Each step changes one line under a guard and says what follows from it; that is done after the guard, so no caller's code and no command
 * runs under it.
 */
public final class LocalQueue implements LocalAdmission {

    /** For how long a lease lies open at most for a waiter that was woken and does not come. */
    static final Duration OPEN_LIMIT = Duration.ofMillis(10);

    private static final Runnable NOTHING = () -> {};

    private final WaitQueues lines = new WaitQueues();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Scheduler time;
    private final LeaseTermination endings;
    private final LocalQueueSettings settings;
    private final LocalHandover succession;

    public LocalQueue(Scheduler time, LeaseTermination endings, LocalQueueSettings settings) {
        this.time = time;
        this.endings = endings;
        this.settings = settings;
        this.succession = new LocalHandover(time);
    }

    /** How many callers wait here, for whatever lock. */
    public int waiting() {
        return waiting.get();
    }

    /** A caller arrives: it takes what lies open, or deals with the store, or waits. */
    @Override
    public void join(LockWaiter contender) {
        if (contender.isShared()) {
            contender.ask();
            return;
        }
        change(contender.id(), line -> {
            if (line.isUnattended()) {
                line.letAsk(contender);
                return contender::ask;
            }
            SingleLockHandle open = line.allowsBarging() ? succession.take(line.openTenure(), contender) : null;
            if (open != null) {
                line.taken(false);
                return () -> contender.takeOver(open);
            }
            return admit(line, contender);
        });
    }

    private Runnable admit(WaitQueue line, LockWaiter contender) {
        if (!contender.isPatient() && line.isHeld()) {
            HeldLease tenure = line.tenure();
            return () -> contender.refuse(tenure);
        }
        LockException full = full(line, contender);
        if (full != null) {
            return () -> contender.fail(full);
        }
        waiting.incrementAndGet();
        if (!contender.isPatient()) {
            line.follow(contender);
            return NOTHING;
        }
        line.append(contender);
        return contender::waitInLine;
    }

    /** A waiter that was woken, because a tenure lies open, looks for it. It goes on waiting if somebody was quicker. */
    @Override
    public void turn(LockWaiter contender) {
        change(contender.id(), line -> {
            HeldLease open = line.openTenure();
            if (open == null || !line.isWaiting(contender)) {
                return NOTHING;
            }
            SingleLockHandle taken = succession.take(open, contender);
            if (taken == null) {
                line.forget(open, time.now());
                return () -> endings.abandon(open);
            }
            remove(line, contender);
            line.taken(true);
            return () -> contender.takeOver(taken);
        });
    }

    /**
     * The wait of a caller is over. It is out of the line before it is told so, and in nobody's way. If the lock was just asked for, it stays for the
     * answer, unless it has waited for one before for as long as any is waited for.
     */
    @Override
    public void timeOut(LockWaiter contender) {
        change(contender.id(), line -> {
            if (!line.isWaiting(contender)) {
                return NOTHING;
            }
            boolean held = line.wasHeldSince(contender.since());
            if (!held && line.asking() != null && !contender.hasWaitedForAnAnswer()) {
                line.follow(contender);
                return NOTHING;
            }
            HeldLease tenure = line.tenure();
            Runnable next = takeOut(line, contender);
            return both(held ? () -> contender.refuse(tenure) : contender::giveUp, next);
        });
    }

    /** A caller does not want the lock any more, wherever it stands. */
    @Override
    public void leave(LockWaiter contender) {
        change(contender.id(), line -> {
            if (line.asking() == contender) {
                line.hasAsked(false);
            }
            return takeOut(line, contender);
        });
    }

    /** Out of the line. If it had been woken because a tenure lies open, the next one is, or the store gets that back. */
    private Runnable takeOut(WaitQueue line, LockWaiter contender) {
        boolean wasFirst = line.first() == contender;
        remove(line, contender);
        HeldLease open = line.openTenure();
        if (open == null || !wasFirst) {
            return NOTHING;
        }
        LockWaiter first = line.first();
        if (first != null && succession.fits(open, first)) {
            return first::wake;
        }
        line.forget(open, time.now());
        return () -> endings.abandon(open);
    }

    /** The store has granted the lock to the caller that dealt with it. */
    public void granted(HeldLease tenure) {
        change(tenure.id(), line -> {
            line.granted(tenure);
            return answer(line, follower -> follower.refuse(tenure));
        });
    }

    /** The store has refused the caller that deals with it, which goes on waiting. */
    @Override
    public void refused(LockWaiter contender) {
        if (contender.isShared()) {
            waitSharing(contender);
            return;
        }
        change(
                contender.id(),
                line -> line.asking() == contender ? answer(line, follower -> follower.refuse(null)) : NOTHING);
    }

    /** One that wants a share counts as waiting from the first refusal until its end. */
    private void waitSharing(LockWaiter contender) {
        change(contender.id(), line -> {
            if (line.isSharing(contender)) {
                return NOTHING;
            }
            LockException full = full(line, contender);
            if (full != null) {
                return () -> contender.end(full);
            }
            waiting.incrementAndGet();
            line.waitsSharing(contender);
            return () -> contender
                    .result()
                    .whenComplete((lock, failure) -> change(contender.id(), later -> {
                        remove(later, contender);
                        return NOTHING;
                    }));
        });
    }

    /** Why it can't wait; null if it can. */
    private @Nullable LockException full(WaitQueue line, LockWaiter contender) {
        int before = line.waiters();
        int inAll = waiting.get();
        return before >= settings.maxPerLock() || inAll >= settings.maxInAll()
                ? ExceptionMessages.tooManyWaiters(contender.id(), before, inAll)
                : null;
    }

    /** The store has not answered a try of the caller that deals with it, which goes on trying. */
    @Override
    public void unanswered(LockWaiter contender, StoreException failure) {
        change(
                contender.id(),
                line -> line.asking() == contender ? answer(line, follower -> follower.failLike(failure)) : NOTHING);
    }

    /** The caller that dealt with the store got no lock. If there was no answer, whoever has waited for one as long gets none, either. */
    @Override
    public void failed(LockWaiter contender, LockException failure) {
        change(contender.id(), line -> {
            if (line.asking() != contender) {
                return NOTHING;
            }
            boolean refused = failure instanceof LockNotAcquiredException;
            boolean unanswered = contender.isUnanswered(failure);
            line.hasAsked(refused || unanswered || contender.isRefused());
            if (refused) {
                line.seenHeld(time.now());
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
        if (hold.tenure().isShared()) {
            endings.giveBack(hold);
            return;
        }
        change(hold.id(), line -> {
            LockWaiter first = line.first();
            if (first == null || !succession.isDue(line, hold, first)) {
                return giveBack(line, hold);
            }
            if (settings.barging() && line.allowsBarging()) {
                boolean limited = line.open(time.now());
                endings.passOn(hold);
                Runnable wake = limited ? first::wake : both(first::wake, () -> limitOpenLease(hold.id(), OPEN_LIMIT));
                return both(wake, () -> endings.passedOn(hold));
            }
            SingleLockHandle next = succession.take(hold.tenure(), first);
            if (next == null) {
                return giveBack(line, hold);
            }
            remove(line, first);
            line.taken(true);
            endings.passOn(hold);
            return both(() -> Trampoline.run(() -> first.takeOver(next)), () -> endings.passedOn(hold));
        });
    }

    /** One timer for each line, however often a lease is opened meanwhile. */
    private void limitOpenLease(LockId id, Duration delay) {
        time.after(
                delay,
                () -> change(id, line -> {
                    HeldLease open = line.openTenure();
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
                    line.forget(open, time.now());
                    return () -> endings.abandon(open);
                }));
    }

    private Runnable giveBack(WaitQueue line, LockHold hold) {
        line.forget(hold.tenure(), time.now());
        return () -> endings.giveBack(hold);
    }

    /** A tenure was lost; if somebody waits, the first one has to deal with the store. */
    public void over(HeldLease tenure) {
        change(tenure.id(), line -> {
            line.forget(tenure, time.now());
            return NOTHING;
        });
    }

    private void remove(WaitQueue line, LockWaiter contender) {
        if (line.remove(contender)) {
            waiting.decrementAndGet();
        }
    }

    /**
     * Whatever a step does: nobody who has time waits in a line where nobody holds the lock or deals with the store, and a lease that is over keeps
     * nobody from the lock. What a step means to its own caller is done at once; the next caller follows after it.
     */
    private void change(LockId id, Function<WaitQueue, Runnable> step) {
        lines.change(id, line -> {
                    Runnable ending = forgetOver(line);
                    Runnable deed = step.apply(line);
                    LockWaiter next = line.isUnattended() ? line.nextToAsk(time.now()) : null;
                    return both(both(ending, deed), next == null ? NOTHING : promote(line, next));
                })
                .run();
    }

    private Runnable promote(WaitQueue line, LockWaiter next) {
        remove(line, next);
        line.letAsk(next);
        return () -> Trampoline.run(next::askInTurn);
    }

    private Runnable forgetOver(WaitQueue line) {
        HeldLease held = line.tenure();
        if (held == null || (!held.isOver() && !held.isOverdue())) {
            return NOTHING;
        }
        line.forget(held, time.now());
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
