package io.distributedlock.internal.renewal;

import io.distributedlock.LockEvent;
import io.distributedlock.LockId;
import io.distributedlock.LossReason;
import io.distributedlock.internal.event.EngineCounters;
import io.distributedlock.internal.event.EventDispatcher;
import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.store.StoreCalls;
import io.distributedlock.internal.support.Durations;
import io.distributedlock.internal.support.ExceptionMessages;
import io.distributedlock.internal.support.Warnings;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.internal.time.SuspendDetector;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Extends leases: by itself those that are renewed, and others when their holder asks for it.
 *
 * <p>A renewal that fails is tried again as long as the lease lasts. Its effect being unknown does no harm: the
 * deadline does not move, and repeating it is safe.
 */
public final class LeaseRenewer {

    private static final int STOPS = 30;

    /** After which time a short lease is extended: its holder runs first, and may be done by then. */
    private static final Duration SOON = Duration.ofMillis(10);

    private static final Duration MIN_PAUSE = Duration.ofMillis(100);

    private final LockStore store;
    private final StoreCalls calls;
    private final Scheduler time;
    private final SuspendDetector suspensions;
    private final EngineCounters counters;
    private final EventDispatcher notifier;
    private final StuckHolderDetector holders;
    private final RenewalBatcher rounds;

    public LeaseRenewer(
            LockStore store,
            StoreCalls calls,
            Scheduler time,
            SuspendDetector suspensions,
            EngineCounters counters,
            EventDispatcher notifier,
            StuckHolderDetector holders) {
        this.store = store;
        this.calls = calls;
        this.time = time;
        this.suspensions = suspensions;
        this.counters = counters;
        this.notifier = notifier;
        this.holders = holders;
        this.rounds = new RenewalBatcher(time, this::startBatch);
    }

    /** They have no timer as long as the answer is waited for, so each has one again if nothing could be asked. */
    private void startBatch(BatchKey terms, List<HeldLease> heldLeases) {
        try {
            new RenewalBatch(this, heldLeases, terms).ask();
        } catch (RuntimeException | Error unexpected) {
            heldLeases.forEach(heldLease -> goOn(heldLease, unexpected));
        }
    }

    LockStore store() {
        return store;
    }

    Scheduler time() {
        return time;
    }

    SuspendDetector suspensions() {
        return suspensions;
    }

    EngineCounters counters() {
        return counters;
    }

    StuckHolderDetector holders() {
        return holders;
    }

    /**
     * The first step for a lock whose grant was asked for at {@code sentAt}. One that was granted before the machine
     * was suspended is renewed at once, and one that was granted with less than its holder counts on, soon.
     */
    void start(HeldLease heldLease, long sentAt) {
        planNext(heldLease, sentAt);
        if (heldLease.isAtRisk()) {
            askAlone(heldLease);
        } else if (heldLease.isShort()) {
            time.after(SOON, () -> askIfStillShort(heldLease));
        }
    }

    private void askIfStillShort(HeldLease heldLease) {
        if (!heldLease.isOver() && heldLease.isShort()) {
            askAlone(heldLease);
        }
    }

    /** The timer has come round. */
    void proceed(HeldLease heldLease) {
        if (heldLease.isOver()) {
            return;
        }
        tellIfLate(heldLease);
        if (heldLease.lease().renewed() || heldLease.isStretching() || heldLease.isDoubted()) {
            LockHold hold = heldLease.hold();
            if (hold != null && hold.isLimited()) {
                // Its max-hold may be reached before the answer, which plans the next look.
                heldLease.checkIn(heldLease.lease().ttl());
            }
            ask(heldLease);
        } else {
            planNext(heldLease, time.now());
        }
    }

    void tellIfLate(HeldLease heldLease) {
        if (heldLease.isLate()) {
            LockId id = heldLease.id();
            notifier.tell(new LockEvent.RenewalLate(id.name(), id.key(), heldLease.overdue(), left(heldLease)));
        }
    }

    /**
     * A third of the lease after the last command was sent, or earlier if less than a lease was promised: a third into
     * what is left. A lease that is to be stretched may pass to another hold meanwhile, so it is looked at twice.
     */
    public void planNext(HeldLease heldLease, long lastSentAt) {
        LeaseTerms lease = heldLease.lease();
        if (lease.renewed()) {
            long now = time.now();
            long left = heldLease.safeUntil() - now;
            heldLease.checkAt(
                    left < lease.renewalPeriod().toNanos()
                            ? now + left / 3
                            : nextDue(lastSentAt, heldLease.safeUntil(), lease));
            return;
        }
        if (!heldLease.isStretching()) {
            heldLease.checkIn(holders.untilReport(heldLease));
        }
        if (heldLease.isStretching()) {
            heldLease.checkAt(heldLease.nextStretch());
        }
    }

    /** @param safeUntil more than a period from now */
    static long nextDue(long lastSentAt, long safeUntil, LeaseTerms lease) {
        long period = lease.renewalPeriod().toNanos();
        long due = together(lastSentAt, period);
        return due - (safeUntil - period) < 0 ? due : safeUntil - period;
    }

    /**
     * When a renewal is due, a period after the last one at the latest. Spread a little, so that what was taken
     * together is not renewed together for ever, and then at one of {@value #STOPS} instants in a period, so that
     * renewals of about the same time share a script.
     */
    private static long together(long lastSentAt, long period) {
        long jitter = ThreadLocalRandom.current().nextLong(period / 16);
        return Math.floorDiv(lastSentAt + period - jitter, period / STOPS) * (period / STOPS);
    }

    /**
     * Asks together with others that are due, unless there is too little time left to wait as long for the answer as
     * they do.
     */
    void ask(HeldLease heldLease) {
        if (isUrgent(heldLease)) {
            askAlone(heldLease);
        } else {
            rounds.add(heldLease);
        }
    }

    boolean isUrgent(HeldLease heldLease) {
        return patience(heldLease).compareTo(heldLease.lease().renewalTimeout()) < 0;
    }

    private void askAlone(HeldLease heldLease) {
        BatchKey terms = BatchKey.of(heldLease);
        Duration limit = Durations.min(terms.limit(), patience(heldLease));
        long sentAt = time.now();
        extend(heldLease, terms.ttl(), limit, (left, failure) -> answered(heldLease, sentAt, null, left, failure));
    }

    /** How long an answer can be waited for so that there is time for another try. */
    private Duration patience(HeldLease heldLease) {
        return Durations.part(left(heldLease), 2);
    }

    /**
     * A renewal has its outcome: what comes next.
     *
     * @param round in which it was asked for; null if that was alone
     */
    void answered(
            HeldLease heldLease,
            long sentAt,
            @Nullable RenewalCall round,
            @Nullable Duration left,
            @Nullable StoreException failure) {
        if (heldLease.isOver()) {
            return;
        }
        if (left != null) {
            counters.renewed(1);
            if (round == null || !round.takesAlong(heldLease)) {
                planNext(heldLease, sentAt);
            }
            return;
        }
        counters.renewalFailed();
        if (heldLease.failed() && failure != null) {
            LockId id = heldLease.id();
            notifier.tell(new LockEvent.RenewalFailed(id.name(), id.key(), left(heldLease), failure));
        }
        heldLease.checkIn(Durations.min(heldLease.lease().renewalRetry(), pause(heldLease)));
    }

    /**
     * Looks at one of many locks that are due together. Returns whether it is to be renewed with them; if not, it was
     * lost, or is asked for alone because there is too little time left.
     */
    boolean mayGoOn(HeldLease heldLease) {
        try {
            counters.late(heldLease.overdue());
            LockHold hold = heldLease.hold();
            if (hold == null || heldLease.endsIfOverdue()) {
                return false;
            }
            holders.check(hold);
            tellIfLate(heldLease);
            if (isUrgent(heldLease)) {
                ask(heldLease);
                return false;
            }
            return !heldLease.isOver();
        } catch (RuntimeException | Error unexpected) {
            goOn(heldLease, unexpected);
            return false;
        }
    }

    /** A renewal that was asked for in this round has its outcome. */
    void answered(HeldLease heldLease, RenewalCall round, @Nullable Duration left, @Nullable StoreException failure) {
        try {
            answered(heldLease, round.sentAt(), round, left, failure);
        } catch (RuntimeException | Error unexpected) {
            goOn(heldLease, unexpected);
        }
    }

    /** The next look at it, whatever has gone wrong. */
    static void goOn(HeldLease heldLease, Throwable unexpected) {
        heldLease.checkIn(heldLease.lease().renewalRetry());
        Warnings.write(
                LeaseRenewer.class,
                "The watch over lock '" + heldLease.id().display() + "' failed; it goes on",
                unexpected);
    }

    private Duration left(HeldLease heldLease) {
        return time.until(heldLease.safeUntil());
    }

    /** A lock that was handed over has a short lease at first, which has to be long enough for some tries, too. */
    private Duration pause(HeldLease heldLease) {
        Duration quarter = Durations.part(left(heldLease), 4);
        return quarter.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : quarter;
    }

    /** Extends a lock because its holder wants that; completes where the store's answer arrives. */
    public CompletableFuture<Boolean> extend(LockHold hold, Duration ttl) {
        CompletableFuture<Boolean> caller = new CompletableFuture<>();
        if (!hold.isHeld()) {
            caller.complete(false);
            return caller;
        }
        HeldLease heldLease = hold.heldLease();
        heldLease.extending(ttl);
        extend(heldLease, ttl, heldLease.lease().attemptTimeout(), (left, failure) -> {
            if (failure != null) {
                caller.completeExceptionally(ExceptionMessages.extension(hold.id(), hold.remaining(), failure));
            } else {
                caller.complete(hold.isHeld());
            }
        });
        return caller;
    }

    /** An answer counts whenever it arrives; {@code outcome} receives it, or the failure, within {@code limit}. */
    private void extend(
            HeldLease heldLease,
            Duration ttl,
            Duration limit,
            BiConsumer<@Nullable Duration, @Nullable StoreException> outcome) {
        long sentAt = time.now();
        calls.within(
                limit,
                () -> store.extend(
                        heldLease.claim(),
                        heldLease.serverToken(),
                        heldLease.lease().stored(ttl)),
                (left, failure) -> {
                    learned(heldLease, sentAt, left);
                    outcome.accept(left, failure);
                },
                (left, failure) -> learned(heldLease, sentAt, left));
    }

    /**
     * What the store answers to an extension that was sent at {@code sentAt}.
     *
     * @param left how long the lease lasts from then on at least; zero if it is over; null if there is no answer
     */
    static void learned(HeldLease heldLease, long sentAt, @Nullable Duration left) {
        if (left == null || heldLease.isOver()) {
            return;
        }
        if (left.isZero()) {
            heldLease.lose(LossReason.NOT_OWNER);
        } else if (heldLease.isExpired()) {
            heldLease.lose(LossReason.DEADLINE);
        } else {
            heldLease.extended(sentAt, left);
            heldLease.trust();
        }
    }
}
