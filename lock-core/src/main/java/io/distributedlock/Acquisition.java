package io.distributedlock;

import io.distributedlock.spi.Attempt;
import io.distributedlock.spi.Attempt.Granted;
import io.distributedlock.spi.Attempt.Refused;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One call's way to a lock: try, confirm if the outcome of a try is unknown, wait if somebody else holds it, try again.
 *
 * <p>All tries carry one owner, so a repetition can't take a second lock. The way ends exactly once: with a lock, or with a definite refusal,
 * or without an answer; and whoever ends it without a lock while a try is unresolved leaves the claim to the reaper.
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

    private final CompletableFuture<HeldLock> result = new CompletableFuture<>();
    private final AtomicReference<Ending> ending = new AtomicReference<>(Ending.OPEN);
    private final AtomicInteger unresolved = new AtomicInteger();
    private final Engine engine;
    private final AcquisitionPlan plan;
    private final AcquisitionBudget budget;
    private volatile Timeline.Timer timer = Timeline.Timer.NONE;
    private volatile int tries;
    private volatile int confirmations;

    Acquisition(Engine engine, AcquisitionPlan plan) {
        this.engine = engine;
        this.plan = plan;
        this.budget = new AcquisitionBudget(engine.time(), plan);
    }

    CompletableFuture<HeldLock> result() {
        return result;
    }

    AcquisitionPlan plan() {
        return plan;
    }

    void start() {
        attempt(plan.lease().attemptTimeout());
    }

    /** A try starts when the store can be reached; until then nothing has been sent. */
    private void attempt(Duration limit) {
        if (ending.get() != Ending.OPEN) {
            return;
        }
        CompletableFuture<?> ready = engine.ready();
        if (ready.isDone() && !ready.isCompletedExceptionally()) {
            send(limit);
        } else {
            engine.calls()
                    .within(
                            plan.lease().connectTimeout(),
                            () -> ready.thenApply(open -> Boolean.TRUE),
                            (open, failure) -> reached(limit, failure),
                            (open, failure) -> {});
        }
    }

    private void reached(Duration limit, @Nullable StoreException failure) {
        if (failure == null) {
            send(limit);
        } else {
            unanswered(StoreException.notSent("not connected: " + failure.getMessage(), failure));
        }
    }

    private void send(Duration limit) {
        if (ending.get() != Ending.OPEN) {
            return;
        }
        tries++;
        unresolved.incrementAndGet();
        long sentAt = engine.time().now();
        engine.calls()
                .within(
                        limit,
                        () -> engine.store().acquire(plan.claim(), plan.lease().firstTtl()),
                        (answer, failure) -> answered(sentAt, answer, failure),
                        (answer, failure) -> arrivedLate(sentAt, answer));
    }

    private void answered(long sentAt, @Nullable Attempt answer, @Nullable StoreException failure) {
        if (failure == null || failure.effect() != Effect.UNKNOWN) {
            unresolved.decrementAndGet();
        }
        if (answer instanceof Granted granted) {
            validate(sentAt, granted);
        } else if (answer instanceof Refused refused) {
            refused(refused);
        } else {
            unanswered(failure == null ? StoreException.unknown("the store gave no answer", null) : failure);
        }
    }

    /** The end of a try that was not waited for any more: a grant may still be of use; no answer means that its effect stays unknown. */
    private void arrivedLate(long sentAt, @Nullable Attempt late) {
        if (late != null) {
            unresolved.decrementAndGet();
        }
        if (late instanceof Granted granted) {
            validate(sentAt, granted);
        } else if (late == null) {
            disown();
        }
    }

    private void validate(long sentAt, Granted granted) {
        long safeUntil = Lease.safeUntil(sentAt, granted.remaining());
        if (ending.get() != Ending.OPEN) {
            disown();
        } else if (engine.time().until(safeUntil).compareTo(plan.lease().minimumGrant()) >= 0) {
            hold(sentAt, safeUntil, granted.token());
        } else {
            refresh(granted.token());
        }
    }

    /** The grant is ours, but its reply took so long that little of the lease is left. */
    private void refresh(long token) {
        long sentAt = engine.time().now();
        Duration ttl = plan.lease().firstTtl();
        engine.calls()
                .within(
                        plan.lease().attemptTimeout(),
                        () -> engine.store().extend(plan.claim(), token, ttl),
                        (held, failure) -> {
                            if (Boolean.TRUE.equals(held)) {
                                hold(sentAt, Lease.safeUntil(sentAt, ttl), token);
                            } else {
                                unresolved.incrementAndGet();
                                unanswered(
                                        failure == null
                                                ? StoreException.unknown(
                                                        "the lease ran out before its grant arrived", null)
                                                : failure);
                            }
                        },
                        (late, failure) -> {});
    }

    private void hold(long sentAt, long safeUntil, long token) {
        if (!ending.compareAndSet(Ending.OPEN, Ending.HELD)) {
            disown();
            return;
        }
        timer.cancel();
        Grant grant = new Grant(plan.id(), plan.claim(), plan.lease(), token, sentAt, safeUntil, unresolved.get() > 0);
        result.complete(engine.hold(grant, budget.waited()));
    }

    /** What may have been written after the call ended: harmless if it ended with a lock by this very claim, else to be taken back. */
    private void disown() {
        if (ending.get() == Ending.FAILED) {
            engine.reap(plan.claim(), plan.lease(), plan.lease().firstTtl());
        }
    }

    private void refused(Refused refused) {
        budget.answered();
        confirmations = 0;
        if (budget.isSpent()) {
            end(new LockNotAcquiredException(plan.id(), budget.waited(), tries, refused.retryAfter()));
            return;
        }
        AtomicBoolean woken = new AtomicBoolean();
        later(Lease.min(engine.waiting().next(tries, refused.retryAfter()), budget.left()), () -> {
            if (woken.compareAndSet(false, true)) {
                start();
            }
        });
        refused.news().thenRun(() -> {
            if (woken.compareAndSet(false, true)) {
                later(Duration.ZERO, this::start);
            }
        });
    }

    private void unanswered(StoreException failure) {
        if (unresolved.get() > 0) {
            confirm(failure);
        } else if (budget.allowsRetryWithoutAnswer()) {
            later(pause(), this::start);
        } else {
            end(Failures.unavailable(plan, budget.waited(), failure));
        }
    }

    /** The outcome of a try is unknown: ask again as the same owner, a few times within one command timeout. */
    private void confirm(StoreException failure) {
        boolean sent = failure.effect() == Effect.UNKNOWN;
        confirmations += sent ? 1 : 0;
        Duration left = budget.leftToConfirm();
        Duration pause = pause();
        if (confirmations > MAX_CONFIRMATIONS || left.compareTo(pause) <= 0) {
            end(Failures.unknown(plan, budget.waited(), failure));
        } else {
            later(pause, () -> attempt(Lease.min(plan.lease().attemptTimeout(), left.minus(pause))));
        }
    }

    private static Duration pause() {
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(MIN_PAUSE.toNanos(), MAX_PAUSE.toNanos()));
    }

    private void later(Duration delay, Runnable step) {
        timer.cancel();
        timer = engine.time().after(delay, step);
        if (ending.get() != Ending.OPEN) {
            timer.cancel();
        }
    }

    /** Ends the way without a lock, for the caller's or the client's reasons. Does nothing if it has ended. */
    void abort(LockException reason) {
        end(reason);
    }

    private void end(LockException failure) {
        if (ending.compareAndSet(Ending.OPEN, Ending.FAILED)) {
            timer.cancel();
            if (unresolved.get() > 0) {
                disown();
            }
            engine.notAcquired(failure, budget.waited());
            result.completeExceptionally(failure);
        }
    }
}
