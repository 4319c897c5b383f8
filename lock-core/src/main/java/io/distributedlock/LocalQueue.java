package io.distributedlock;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes this process one contender for each lock. Of its callers that want the same lock only the first one talks to the store, and a renewed
 * lock passes between them without a command (lock cohorting: Dice, Marathe and Shavit, 2012).
 *
 * <p>When its slice is over, a lock goes back to the store, which gives it to the next process; the next caller here queues there right behind.
 * Callers that share a lock don't stand in line: each of them deals with the store.
 *
 * <p>Each step changes one line under a guard and says what follows from it; that is done after the guard, so no caller's code and no command
 * runs under it.
 */
final class LocalQueue {

    private static final Runnable NOTHING = () -> {};

    private final Lines lines = new Lines();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Timeline time;
    private final Endings endings;
    private final LocalQueueSettings settings;
    private final Succession succession;

    LocalQueue(Timeline time, Endings endings, LocalQueueSettings settings) {
        this.time = time;
        this.endings = endings;
        this.settings = settings;
        this.succession = new Succession(time);
    }

    /** How many callers wait here, for whatever lock. */
    int waiting() {
        return waiting.get();
    }

    /** A caller arrives: it takes what lies open, or deals with the store, or waits. */
    void join(Contender contender) {
        if (contender.isShared()) {
            contender.ask();
            return;
        }
        change(contender.id(), line -> {
            if (line.isIdle()) {
                line.letAsk(contender);
                return contender::ask;
            }
            HeldLock open = line.allowsBarging() ? succession.take(line.openTenure(), contender) : null;
            if (open != null) {
                line.taken(false);
                return () -> contender.takeOver(open);
            }
            return admit(line, contender);
        });
    }

    private Runnable admit(Line line, Contender contender) {
        if (!contender.isPatient()) {
            Tenure tenure = line.tenure();
            return () -> contender.refuse(tenure);
        }
        int before = line.waiters();
        if (before >= settings.maxPerLock() || waiting.get() >= settings.maxInAll()) {
            return () -> contender.end(Failures.tooManyWaiters(contender.id(), before, waiting.get()));
        }
        line.append(contender);
        waiting.incrementAndGet();
        return contender::await;
    }

    /** A waiter that was woken, because a tenure lies open, looks for it. It goes on waiting if somebody was quicker. */
    void turn(Contender contender) {
        change(contender.id(), line -> {
            Tenure open = line.openTenure();
            if (open == null || !line.isWaiting(contender)) {
                return NOTHING;
            }
            HeldLock taken = succession.take(open, contender);
            if (taken == null) {
                line.forget(open, time.now());
                return () -> endings.abandon(open);
            }
            remove(line, contender);
            line.taken(true);
            return () -> contender.takeOver(taken);
        });
    }

    /** The wait of a caller is over. It is out of the line before it is told so, and in nobody's way. */
    void timeOut(Contender contender) {
        change(contender.id(), line -> {
            if (!line.isWaiting(contender)) {
                return NOTHING;
            }
            remove(line, contender);
            Tenure tenure = line.tenure();
            return line.wasHeldSince(contender.since()) ? () -> contender.refuse(tenure) : contender::giveUp;
        });
    }

    /** A caller does not want the lock any more, wherever it stands. If it was the one that had been woken, the next one is. */
    void leave(Contender contender) {
        change(contender.id(), line -> {
            remove(line, contender);
            if (line.asking() == contender) {
                line.letAsk(null);
            }
            Tenure open = line.openTenure();
            Contender first = line.first();
            if (open == null) {
                return NOTHING;
            }
            if (first != null && succession.fits(open, first)) {
                return first::wake;
            }
            line.forget(open, time.now());
            return () -> endings.abandon(open);
        });
    }

    /** The store has granted the lock to the caller that dealt with it. */
    void granted(Tenure tenure) {
        change(tenure.id(), line -> {
            line.granted(tenure);
            return NOTHING;
        });
    }

    /** The caller that dealt with the store got no lock. If there was no answer, whoever has waited for one as long gets none, either. */
    void failed(Contender contender, LockException failure) {
        change(contender.id(), line -> {
            if (line.asking() != contender) {
                return NOTHING;
            }
            line.letAsk(null);
            if (failure instanceof LockNotAcquiredException) {
                line.seenHeld(time.now());
            }
            List<Contender> hopeless = contender.isUnanswered(failure)
                    ? line.waiting().stream()
                            .filter(Contender::hasWaitedForAnAnswer)
                            .toList()
                    : List.of();
            hopeless.forEach(other -> remove(line, other));
            return () -> hopeless.forEach(other -> other.failLike(failure));
        });
    }

    /** A turn has ended in order: the next one follows, or the store gets its lock back. */
    void release(Hold hold) {
        if (hold.tenure().isShared()) {
            endings.giveBack(hold);
            return;
        }
        change(hold.id(), line -> {
            Contender first = line.first();
            if (first == null || !succession.isDue(line, hold, first)) {
                line.forget(hold.tenure(), time.now());
                return () -> endings.giveBack(hold);
            }
            line.open();
            if (settings.barging() && line.allowsBarging()) {
                return () -> {
                    first.wake();
                    endings.passedOn(hold);
                };
            }
            return handOver(line, hold, first);
        });
    }

    private Runnable handOver(Line line, Hold hold, Contender first) {
        HeldLock next = succession.take(hold.tenure(), first);
        if (next != null) {
            remove(line, first);
            line.taken(true);
        }
        return () -> {
            if (next != null) {
                Trampoline.run(() -> first.takeOver(next));
            }
            endings.passedOn(hold);
        };
    }

    /** A tenure was lost; if somebody waits, the first one has to deal with the store. */
    void over(Tenure tenure) {
        change(tenure.id(), line -> {
            line.forget(tenure, time.now());
            return NOTHING;
        });
    }

    private void remove(Line line, Contender contender) {
        if (line.remove(contender)) {
            waiting.decrementAndGet();
        }
    }

    /**
     * Whatever a step does: nobody who has time waits in a line where nobody holds the lock or deals with the store, and a lease that is over keeps
     * nobody from the lock. What a step means to its own caller is done at once; the next caller follows after it.
     */
    private void change(LockId id, Function<Line, Runnable> step) {
        lines.change(id, line -> {
                    Runnable ending = forgetOver(line);
                    Runnable deed = step.apply(line);
                    Contender next = line.isUnattended() ? promote(line) : null;
                    Runnable promotion = next == null ? NOTHING : () -> Trampoline.run(next::askInTurn);
                    return both(both(ending, deed), promotion);
                })
                .run();
    }

    private Runnable forgetOver(Line line) {
        Tenure held = line.tenure();
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

    /**
     * The first one deals with the store. If it has hardly any time left and is known to be refused then, somebody does who stays for a while:
     * many who came together end together, and would take the lead from each other with two commands each time.
     */
    private @Nullable Contender promote(Line line) {
        Contender next = line.first();
        if (next != null && isHopeless(line, next)) {
            List<Contender> others = line.waiting();
            next = others.stream()
                    .filter(other -> !other.isNearItsEnd())
                    .findFirst()
                    .or(() -> others.stream().max(Comparator.comparing(Contender::left)))
                    .filter(other -> !isHopeless(line, other))
                    .orElse(null);
        }
        if (next != null) {
            remove(line, next);
            line.letAsk(next);
        }
        return next;
    }

    private static boolean isHopeless(Line line, Contender contender) {
        return contender.isAlmostOver() && line.wasHeldSince(contender.since());
    }
}
