package io.distributedlock.internal.lease;

import io.distributedlock.LockEvent;
import io.distributedlock.LockId;
import io.distributedlock.LossReason;
import io.distributedlock.internal.event.Callbacks;
import io.distributedlock.internal.event.EventDispatcher;
import io.distributedlock.internal.store.Cleanup;
import io.distributedlock.internal.store.Reaper;
import io.distributedlock.internal.store.StoreCalls;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** How holds end: by a release, or by a loss, which is signalled first and then cleaned up. */
public final class LeaseTermination {

    private final Set<LockHold> ending = ConcurrentHashMap.newKeySet();
    private final Map<LockHold, Runnable> interrupts = new ConcurrentHashMap<>();
    private final LockStore store;
    private final StoreCalls calls;
    private final Scheduler time;
    private final LeaseRegistry heldLeases;
    private final Reaper reaper;
    private final EventDispatcher notifier;
    private final Callbacks callbacks;

    public LeaseTermination(
            LockStore store,
            StoreCalls calls,
            Scheduler time,
            LeaseRegistry heldLeases,
            Reaper reaper,
            EventDispatcher notifier,
            Callbacks callbacks) {
        this.store = store;
        this.calls = calls;
        this.time = time;
        this.heldLeases = heldLeases;
        this.reaper = reaper;
        this.notifier = notifier;
        this.callbacks = callbacks;
    }

    /** The store gets its lock back. Renewal ends first, so that no renewal can follow the release. */
    public void giveBack(LockHold hold) {
        HeldLease heldLease = hold.heldLease();
        ending.add(hold);
        if (!heldLeases.end(heldLease)) {
            lostMeanwhile(hold);
            return;
        }
        Duration limit = heldLease.lease().attemptTimeout();
        Duration left = heldLease.lease().leftToKeep(hold.held());
        boolean trusted = heldLease.isTrusted();
        if (left.isZero()) {
            calls.within(
                    limit,
                    () -> store.release(heldLease.claim()),
                    (answer, failure) -> released(hold, trusted, answer),
                    (late, failure) -> {});
        } else {
            calls.within(
                    limit,
                    () -> store.releaseAfter(heldLease.claim(), left),
                    (held, failure) -> kept(hold, trusted, held, left),
                    (late, failure) -> {});
        }
    }

    /** A loss came between the holder's release and the end of renewal; it is being cleaned up after. */
    private void lostMeanwhile(LockHold hold) {
        ended(hold, false, hold.lossReason() == LossReason.NOT_OWNER ? LossReason.NOT_OWNER : null, true);
    }

    /** A turn ends without the store. Listeners are notified before the next one can begin. */
    public void endForHandover(LockHold hold) {
        released(hold, true);
    }

    /** The same for the one whose turn it was, which does not have to learn of it before the next one. */
    public void passedOn(LockHold hold) {
        hold.releaseEnded(null);
    }

    /** No waiter wants the open lease any more. */
    public void abandon(HeldLease heldLease) {
        if (heldLeases.end(heldLease)) {
            reap(heldLease);
        }
    }

    /**
     * Runs {@code cleanUp} once the end of a lease is through: a clean-up that overtook the release would make it look
     * like a loss.
     */
    public void after(HeldLease heldLease, Runnable cleanUp) {
        ending.stream()
                .filter(hold -> hold.heldLease() == heldLease)
                .findFirst()
                .ifPresentOrElse(hold -> hold.ended().whenComplete((nothing, failure) -> cleanUp.run()), cleanUp);
    }

    /**
     * A lock that is gone was taken from its holder, unless its lease may have run out while the release was on its
     * way.
     */
    private void released(LockHold hold, boolean trusted, @Nullable Release answer) {
        HeldLease heldLease = hold.heldLease();
        try {
            if (answer == null || (heldLease.isDoubtful() && !answer.settled())) {
                reap(heldLease);
            } else {
                reaper.released(heldLease.claim(), heldLease.lease().stored(heldLease.longestTtl()));
            }
        } finally {
            ended(hold, trusted, answer == null ? null : reasonOf(answer.outcome()), answer != null);
        }
    }

    private static @Nullable LossReason reasonOf(Release.Outcome outcome) {
        return switch (outcome) {
            case RELEASED -> null;
            case ABSENT -> LossReason.ABSENT;
            case NOT_OWNER -> LossReason.NOT_OWNER;
        };
    }

    /**
     * The store was asked to keep the lock for the rest of its minimum. Without an answer the whole lease may still be
     * there, and a renewal that was under way may bring it back, because the lock keeps its owner. So it is cleaned up
     * after the minimum.
     *
     * @param held null if there is no answer
     */
    private void kept(LockHold hold, boolean trusted, @Nullable Boolean held, Duration left) {
        HeldLease heldLease = hold.heldLease();
        if (!Boolean.FALSE.equals(held) || heldLease.isDoubtful()) {
            time.after(left, () -> reap(heldLease));
        }
        ended(hold, trusted, Boolean.FALSE.equals(held) ? LossReason.NOT_OWNER : null, held != null);
    }

    /**
     * The store was asked to end a hold.
     *
     * @param trusted whether it was held when the store was asked, although the machine may have been suspended before
     */
    private void ended(LockHold hold, boolean trusted, @Nullable LossReason gone, boolean confirmed) {
        HeldLease heldLease = hold.heldLease();
        boolean ranOutMeanwhile = heldLease.isOverdue() || (trusted && !heldLease.isTrusted());
        LossReason taken = ranOutMeanwhile ? null : gone;
        try {
            if (taken != null) {
                signal(hold, taken, () -> {});
                tell(hold, taken);
            } else {
                released(hold, confirmed);
            }
        } finally {
            ending.remove(hold);
            hold.releaseEnded(taken);
        }
    }

    private void released(LockHold hold, boolean confirmed) {
        LockId id = hold.id();
        ending.remove(hold);
        notifier.tell(new LockEvent.Released(id.name(), id.key(), hold.held(), confirmed));
    }

    /** The holder is notified first; only then is the lock freed for others. */
    public void lost(LockHold hold, LossReason reason) {
        HeldLease heldLease = hold.heldLease();
        heldLeases.end(heldLease);
        try {
            if (hold.becomesLost(reason)) {
                ending.add(hold);
                signal(
                        hold,
                        reason,
                        () -> free(heldLease, reason, () -> {
                            ending.remove(hold);
                            hold.lossEnded();
                        }));
                tell(hold, reason);
            } else {
                reapUnlessForeign(heldLease, reason);
            }
        } finally {
            if (!heldLease.isShared()) {
                heldLease.context().over(heldLease);
            }
        }
    }

    /**
     * Frees a lock that was lost: at once, or after the stop margin, until which the store keeps it for an owner that
     * renews it no more. Its expiry comes a little later, and ends the margin of a process that is gone by then.
     */
    private void free(HeldLease heldLease, LossReason reason, Runnable then) {
        LeaseTerms lease = heldLease.lease();
        if (lease.stopMargin().isZero() || reason == LossReason.NOT_OWNER) {
            reapUnlessForeign(heldLease, reason);
            then.run();
            return;
        }
        time.after(lease.stopMargin(), () -> reap(heldLease));
        if (heldLease.isShared()) {
            then.run();
        } else {
            calls.within(
                    lease.attemptTimeout(),
                    () -> store.releaseAfter(heldLease.claim(), lease.closing()),
                    (kept, failure) -> then.run(),
                    (late, failure) -> {});
        }
    }

    /**
     * Work that wants to be interrupted is, at once; callbacks, if there are any, run where signals do, and {@code
     * then} follows them.
     */
    private void signal(LockHold hold, LossReason reason, Runnable then) {
        Runnable interrupt = interrupts.remove(hold);
        if (interrupt != null) {
            interrupt.run();
        }
        if (hold.signalsLossToNoCaller(reason)) {
            then.run();
        } else {
            callbacks.signal(() -> hold.signalLoss(reason), then);
        }
    }

    /** From now on, the loss of this hold interrupts the work under it, on whichever thread it is noticed. */
    public void interruptAtLoss(LockHold hold, Runnable interrupt) {
        interrupts.put(hold, interrupt);
        if (hold.isLost() && interrupts.remove(hold) != null) {
            interrupt.run();
        }
    }

    public void interruptNoMore(LockHold hold) {
        interrupts.remove(hold);
    }

    private void tell(LockHold hold, LossReason reason) {
        LockId id = hold.id();
        notifier.tell(new LockEvent.Lost(id.name(), id.key(), reason, hold.held()));
    }

    /** A store that comes back with older data may have the claim again, although it has denied it. */
    private void reapUnlessForeign(HeldLease heldLease, LossReason reason) {
        if (reason == LossReason.NOT_OWNER && !heldLease.isDoubtful()) {
            reaper.released(heldLease.claim(), heldLease.lease().stored(heldLease.longestTtl()));
        } else {
            reap(heldLease);
        }
    }

    private void reap(HeldLease heldLease) {
        reap(heldLease.claim(), heldLease.lease(), heldLease.longestTtl());
    }

    /**
     * Has a claim removed from the store, whatever became of the commands that were sent for it.
     *
     * @param promised the longest lease that the store was asked for in the claim's name
     */
    public void reap(Claim claim, LeaseTerms lease, Duration promised) {
        long expiresAt = time.now() + lease.stored(promised).toNanos();
        reaper.adopt(new Cleanup(claim, expiresAt, lease.firstTtl(), lease.attemptTimeout()));
    }

    /** The holds whose end is under way. */
    public List<LockHold> underWay() {
        return List.copyOf(ending);
    }
}
