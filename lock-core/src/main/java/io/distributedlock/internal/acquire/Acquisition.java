package io.distributedlock.internal.acquire;

import io.distributedlock.LockException;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockState;
import io.distributedlock.LockStatistics.Ambiguity;
import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LeaseGrant;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.lease.SingleLockHandle;
import io.distributedlock.internal.support.Durations;
import io.distributedlock.internal.support.ExceptionMessages;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call's way to a lock: try, confirm if the outcome of a try is unknown, wait if another owner holds it, try again.
 *
 * <p>All tries carry one owner, so a repetition can't take a second lock. The way ends exactly once: with a lock, or
 * with a definite refusal, or without an answer; and the part that ends it without a lock while a try is unresolved or
 * the claim is queued leaves the claim to the reaper.
 */
final class Acquisition {

    private static final int MAX_CONFIRMATIONS = 2;
    private static final Duration MIN_PAUSE = Duration.ofMillis(20);
    private static final Duration MAX_PAUSE = Duration.ofMillis(50);

    private enum Ending {
        OPEN,
        HELD,
        FAILED
    }

    private final CompletableFuture<SingleLockHandle> result = new CompletableFuture<>();
    private final AtomicReference<Ending> ending = new AtomicReference<>(Ending.OPEN);
    private final AcquireContext context;
    private final Scheduler time;
    private final AcquirePlan plan;
    private final AcquireAttempts tries;
    private final Consumer<@Nullable StoreException> goesOn;
    private final long startedAt;
    private final AtomicReference<@Nullable Refused> waitingAfter = new AtomicReference<>();
    private volatile Scheduler.Timer timer = Scheduler.Timer.NONE;
    private volatile long triedAt;
    private volatile long confirmUntil;
    private volatile boolean confirming;
    private volatile int confirmations;
    /** Whether the store has given a definite answer: it can be reached, and what remains is waiting. */
    private volatile boolean answered;

    private volatile boolean refreshed;
    private volatile boolean refused;

    /**
     * @param goesOn is notified when it goes on after a refusal, or with what has failed after a try without an answer
     */
    Acquisition(AcquireContext context, AcquirePlan plan, Consumer<@Nullable StoreException> goesOn) {
        this.context = context;
        this.plan = plan;
        this.goesOn = goesOn;
        this.time = context.time();
        this.startedAt = time.now();
        this.triedAt = startedAt;
        this.tries = new AcquireAttempts(context, plan, this);
    }

    CompletableFuture<SingleLockHandle> result() {
        return result;
    }

    /** How long the caller has waited in all. */
    private Duration waited() {
        return time.since(plan.since());
    }

    /** How long it goes on waiting behind another holder. */
    Duration patience() {
        return time.until(plan.deadline());
    }

    /** Whether the latest answer of the store was that others hold the lock, and each try since was answered. */
    boolean isRefused() {
        return refused;
    }

    boolean isOpen() {
        return ending.get() == Ending.OPEN;
    }

    void start() {
        tryWithin(plan.lease().attemptTimeout());
    }

    private void tryWithin(Duration limit) {
        if (isOpen()) {
            triedAt = time.now();
            tries.start(limit);
        }
    }

    /** Enough of the lease has to be left to be worth handing out; if not, it is refreshed once. */
    void granted(long sentAt, Duration promised, long token) {
        long safeUntil = LeaseTerms.safeUntil(sentAt, plan.lease().usable(promised));
        if (!isOpen()) {
            disown();
        } else if (left(sentAt, safeUntil).compareTo(plan.lease().minimumGrant()) >= 0) {
            hold(sentAt, safeUntil, token, false);
        } else if (refreshed) {
            end(ExceptionMessages.unknown(
                    plan.id(),
                    plan.lease().firstTtl(),
                    waited(),
                    StoreException.unknown("its replies take too much of the lease", null)));
            disown();
        } else {
            refreshed = true;
            tries.refresh(token);
        }
    }

    /**
     * No other try is needed, unless the news took so long, or may have done so, that asking as the same owner is
     * better.
     */
    void handedOver(long refusedSentAt, Duration promised, long token) {
        long safeUntil = LeaseTerms.safeUntil(refusedSentAt, plan.lease().usable(promised));
        if (!isOpen()) {
            disown();
        } else if (left(refusedSentAt, safeUntil).compareTo(plan.lease().minimumDirectGrant()) >= 0) {
            hold(refusedSentAt, safeUntil, token, true);
        } else {
            later(Duration.ZERO, this::start);
        }
    }

    /** What is left of a lease that counts from {@code sentAt}, and has run on if the machine was suspended since. */
    private Duration left(long sentAt, long safeUntil) {
        return time.until(safeUntil - context.suspensions().since(sentAt));
    }

    private void hold(long sentAt, long safeUntil, long token, boolean direct) {
        if (!ending.compareAndSet(Ending.OPEN, Ending.HELD)) {
            disown();
            return;
        }
        // Until now another try may have been sent, so whether one is on its way is asked only here.
        LeaseGrant grant = new LeaseGrant(
                plan.id(), plan.claim(), plan.lease(), token, sentAt, safeUntil, tries.anyUnresolved(), direct);
        SingleLockHandle lock;
        try {
            timer.cancel();
            if (confirming) {
                context.counters().resolved(Ambiguity.GRANTED);
            }
            lock = context.hold(grant, waited(), plan.inTurn() || answered);
        } catch (RuntimeException | Error failure) {
            ending.set(Ending.FAILED);
            fail(ExceptionMessages.failed(plan.id(), waited(), failure), true);
            return;
        }
        result.complete(lock);
    }

    /**
     * What may have been written after the call ended: harmless while this very claim holds its lock, else to be taken
     * back.
     */
    void disown() {
        SingleLockHandle lock = ending.get() == Ending.HELD ? result.getNow(null) : null;
        if (ending.get() == Ending.FAILED) {
            reap();
        } else if (lock != null) {
            disown(lock.hold());
        }
    }

    /** A lock that is kept for a while although it was released is not freed before. */
    private void disown(LockHold hold) {
        HeldLease heldLease = hold.heldLease();
        if (heldLease.endsIfOverdue() || heldLease.isOver()) {
            boolean lost = hold.state() == LockState.LOST;
            Duration margin = lost || heldLease.isLost() ? plan.lease().stopMargin() : Duration.ZERO;
            Duration kept = lost ? margin : Durations.max(margin, plan.lease().leftToKeep(hold.held()));
            if (kept.isZero()) {
                context.after(heldLease, this::reap);
            } else {
                time.after(kept, this::reap);
            }
        }
    }

    private void reap() {
        context.reap(plan.claim(), plan.lease(), plan.lease().firstTtl());
    }

    void refused(Refused refusal) {
        if (!isOpen()) {
            disownQueued(refusal);
            return;
        }
        answered = true;
        confirming = false;
        confirmations = 0;
        refreshed = false;
        if (patience().isZero()) {
            end(new LockNotAcquiredException(plan.id(), waited(), refusal.retryAfter()));
            return;
        }
        waitingAfter.set(refusal);
        later(Durations.min(pauseAfter(refusal), patience()), () -> {
            if (waitingAfter.compareAndSet(refusal, null)) {
                start();
            }
        });
        if (!refused) {
            refused = true;
            goesOn.accept(null);
        }
    }

    /** A call that ended while its try was being sent may have been withdrawn before the try was executed. */
    private void disownQueued(Refused refusal) {
        if (refusal.queued()) {
            disown();
        }
    }

    /** The same if no answer says whether the try was executed. */
    private void disownUnanswered(StoreException failure) {
        if (ending.get() == Ending.HELD || failure.effect() == Effect.UNKNOWN) {
            disown();
        }
    }

    private Duration pauseAfter(Refused refused) {
        return refused.queued()
                ? context.waiting().inQueue(refused.retryAfter())
                : context.waiting().next(tries.sent(), refused.retryAfter());
    }

    void worthTrying(Refused refused) {
        if (waitingAfter.compareAndSet(refused, null)) {
            later(Duration.ZERO, this::start);
        }
    }

    void unanswered(StoreException failure) {
        refused = false;
        if (!isOpen()) {
            disownUnanswered(failure);
        } else if (tries.anyUnresolved()) {
            confirm(failure);
        } else if (!failure.isDenied() && allowsRetryWithoutAnswer()) {
            later(Durations.min(pause(), patience()), this::start);
        } else if (tries.mayBeServed()) {
            end(ExceptionMessages.unknown(plan.id(), plan.lease().firstTtl(), waited(), failure));
        } else {
            end(ExceptionMessages.unavailable(plan.id(), waited(), failure));
        }
        if (isOpen()) {
            goesOn.accept(failure);
        }
    }

    /** The outcome of a try is unknown: ask again as the same owner, a few times within one command timeout. */
    private void confirm(StoreException failure) {
        boolean sent = failure.effect() == Effect.UNKNOWN;
        confirmations += sent ? 1 : 0;
        Duration left = leftToConfirm();
        Duration pause = pause();
        if (confirmations > MAX_CONFIRMATIONS || left.compareTo(pause) <= 0) {
            end(ExceptionMessages.unknown(plan.id(), plan.lease().firstTtl(), waited(), failure));
        } else {
            later(pause, () -> tryWithin(Durations.min(plan.lease().attemptTimeout(), left.minus(pause))));
        }
    }

    /**
     * One command timeout, from when the outcome of a try was unknown first; more if its connection broke early, so
     * that there is time to open another one.
     */
    private Duration leftToConfirm() {
        if (!confirming) {
            confirming = true;
            long timeout = plan.lease().attemptTimeout().toNanos();
            confirmUntil = Durations.later(time.now() + timeout, triedAt + 2 * timeout);
        }
        return time.until(confirmUntil);
    }

    /**
     * A store that has given no answer at all is given up after one command timeout, so that a caller does not hang for
     * the whole wait time in front of a store that is down.
     */
    private boolean allowsRetryWithoutAnswer() {
        boolean silent =
                !answered && time.since(startedAt).compareTo(plan.lease().attemptTimeout()) >= 0;
        return !silent && !patience().isZero();
    }

    private static Duration pause() {
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(MIN_PAUSE.toNanos(), MAX_PAUSE.toNanos()));
    }

    private void later(Duration delay, Runnable step) {
        timer.cancel();
        timer = time.after(delay, () -> tries.guarded(step));
        if (!isOpen()) {
            timer.cancel();
        }
    }

    /** Ends the way without a lock, if it has not ended: for the store's, the caller's or the client's reasons. */
    void end(LockException failure) {
        if (ending.compareAndSet(Ending.OPEN, Ending.FAILED)) {
            timer.cancel();
            fail(failure, tries.mayBeServed());
        }
    }

    private void fail(LockException failure, boolean mayBeServed) {
        try {
            if (mayBeServed) {
                disown();
            }
        } finally {
            result.completeExceptionally(failure);
        }
    }

    /** A step on the way has failed in an unexpected way. */
    void failed(Throwable failure) {
        end(ExceptionMessages.failed(plan.id(), waited(), failure));
    }
}
