package io.distributedlock;

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
 * <p>A renewal that fails is tried again as long as the lease lasts. Its effect being unknown does no harm: the deadline does not move, and
 * repeating it is safe.
 */
final class Renewal {

    private static final int STOPS = 30;

    private static final Duration MIN_PAUSE = Duration.ofMillis(100);

    private final LockStore store;
    private final StoreCalls calls;
    private final Timeline time;
    private final Suspensions suspensions;
    private final Tally tally;
    private final Notifier notifier;
    private final HolderCheck holders;
    private final RenewalRounds rounds;

    Renewal(
            LockStore store,
            StoreCalls calls,
            Timeline time,
            Suspensions suspensions,
            Tally tally,
            Notifier notifier,
            HolderCheck holders) {
        this.store = store;
        this.calls = calls;
        this.time = time;
        this.suspensions = suspensions;
        this.tally = tally;
        this.notifier = notifier;
        this.holders = holders;
        this.rounds = new RenewalRounds(time, this::startBatch);
    }

    private void startBatch(RenewalTerms terms, List<Tenure> tenures) {
        new RenewalGroup(this, tenures, terms).ask();
    }

    LockStore store() {
        return store;
    }

    Timeline time() {
        return time;
    }

    Suspensions suspensions() {
        return suspensions;
    }

    Tally tally() {
        return tally;
    }

    HolderCheck holders() {
        return holders;
    }

    /**
     * The first step for a lock whose grant was asked for at {@code sentAt}. One that was granted with less than its holder counts on, or before the
     * machine was suspended, is asked for at once, without waiting for others that are due.
     */
    void start(Tenure tenure, long sentAt) {
        planNext(tenure, sentAt);
        if (tenure.isStretching() || isShort(tenure) || tenure.isAtRisk()) {
            askAlone(tenure);
        }
    }

    /** Whether a renewed lock has less than half of its ttl left, as one that was handed over directly. */
    private boolean isShort(Tenure tenure) {
        Lease lease = tenure.lease();
        return lease.renewed() && left(tenure).compareTo(Durations.part(lease.ttl(), 2)) < 0;
    }

    /** The timer has come round. */
    void proceed(Tenure tenure) {
        if (tenure.isOver()) {
            return;
        }
        tellIfLate(tenure);
        if (tenure.lease().renewed() || tenure.isStretching() || tenure.isDoubted()) {
            ask(tenure);
        } else {
            planNext(tenure, time.now());
        }
    }

    void tellIfLate(Tenure tenure) {
        if (tenure.isLate()) {
            LockId id = tenure.id();
            notifier.tell(new LockEvent.RenewalLate(id.name(), id.key(), tenure.overdue(), left(tenure)));
        }
    }

    /** A third of the lease after the last command was sent, or earlier if less than a lease was promised: a third into what is left. */
    void planNext(Tenure tenure, long lastSentAt) {
        Lease lease = tenure.lease();
        if (lease.renewed()) {
            long now = time.now();
            long left = tenure.safeUntil() - now;
            tenure.checkAt(
                    left < lease.renewalPeriod().toNanos()
                            ? now + left / 3
                            : nextDue(lastSentAt, tenure.safeUntil(), lease));
        } else {
            tenure.checkIn(holders.untilReport(tenure));
        }
    }

    /** @param safeUntil more than a period from now */
    static long nextDue(long lastSentAt, long safeUntil, Lease lease) {
        long period = lease.renewalPeriod().toNanos();
        long due = together(lastSentAt, period);
        return due - (safeUntil - period) < 0 ? due : safeUntil - period;
    }

    /**
     * When a renewal is due, a period after the last one at the latest. Spread a little, so that what was taken together is not renewed together
     * for ever, and then at one of {@value #STOPS} instants in a period, so that renewals of about the same time share a script.
     */
    private static long together(long lastSentAt, long period) {
        long jitter = ThreadLocalRandom.current().nextLong(period / 16);
        return Math.floorDiv(lastSentAt + period - jitter, period / STOPS) * (period / STOPS);
    }

    /** Asks together with others that are due, unless there is too little time left to wait as long for the answer as they do. */
    void ask(Tenure tenure) {
        if (isUrgent(tenure)) {
            askAlone(tenure);
        } else {
            rounds.add(tenure);
        }
    }

    boolean isUrgent(Tenure tenure) {
        return patience(tenure).compareTo(tenure.lease().renewalTimeout()) < 0;
    }

    private void askAlone(Tenure tenure) {
        RenewalTerms terms = RenewalTerms.of(tenure);
        Duration limit = Durations.min(terms.limit(), patience(tenure));
        long sentAt = time.now();
        extend(tenure, terms.ttl(), limit, (left, failure) -> answered(tenure, sentAt, null, left, failure));
    }

    /** How long an answer can be waited for so that there is time for another try. */
    private Duration patience(Tenure tenure) {
        return Durations.part(left(tenure), 2);
    }

    /**
     * A renewal has its outcome: what comes next.
     *
     * @param round in which it was asked for; null if that was alone
     */
    void answered(
            Tenure tenure,
            long sentAt,
            @Nullable RenewalRound round,
            @Nullable Duration left,
            @Nullable StoreException failure) {
        if (tenure.isOver()) {
            return;
        }
        if (left != null) {
            tally.renewed(1);
            if (round == null || !round.takesAlong(tenure)) {
                planNext(tenure, sentAt);
            }
            return;
        }
        tally.renewalFailed();
        if (tenure.failed() && failure != null) {
            LockId id = tenure.id();
            notifier.tell(new LockEvent.RenewalFailed(id.name(), id.key(), left(tenure), failure));
        }
        tenure.checkIn(Durations.min(tenure.lease().renewalRetry(), pause(tenure)));
    }

    /**
     * Looks at one of many locks that are due together. Gives whether it is to be renewed with them; if not, it was lost, or is asked for alone
     * because there is too little time left.
     */
    boolean mayGoOn(Tenure tenure) {
        try {
            tally.late(tenure.overdue());
            Hold hold = tenure.hold();
            if (hold == null || tenure.endsIfOverdue()) {
                return false;
            }
            holders.check(hold);
            tellIfLate(tenure);
            if (isUrgent(tenure)) {
                ask(tenure);
                return false;
            }
            return !tenure.isOver();
        } catch (RuntimeException | Error unexpected) {
            goOn(tenure, unexpected);
            return false;
        }
    }

    /** A renewal that was asked for in this round has its outcome. */
    void answered(Tenure tenure, RenewalRound round, @Nullable Duration left, @Nullable StoreException failure) {
        try {
            answered(tenure, round.sentAt(), round, left, failure);
        } catch (RuntimeException | Error unexpected) {
            goOn(tenure, unexpected);
        }
    }

    /** The next look at it, whatever has gone wrong. */
    static void goOn(Tenure tenure, Throwable unexpected) {
        tenure.checkIn(tenure.lease().renewalRetry());
        Warnings.write(
                Renewal.class, "The watch over lock '" + tenure.id().display() + "' failed; it goes on", unexpected);
    }

    private Duration left(Tenure tenure) {
        return time.until(tenure.safeUntil());
    }

    /** A lock that was handed over has a short lease at first, which has to be long enough for some tries, too. */
    private Duration pause(Tenure tenure) {
        Duration quarter = Durations.part(left(tenure), 4);
        return quarter.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : quarter;
    }

    /** Extends a lock because its holder wants that; completes where the store's answer arrives. */
    CompletableFuture<Boolean> extend(Hold hold, Duration ttl) {
        CompletableFuture<Boolean> caller = new CompletableFuture<>();
        if (!hold.isHeld()) {
            caller.complete(false);
            return caller;
        }
        Tenure tenure = hold.tenure();
        tenure.extending(ttl);
        extend(tenure, ttl, tenure.lease().attemptTimeout(), (left, failure) -> {
            if (failure != null) {
                caller.completeExceptionally(Failures.extension(hold.id(), hold.remaining(), failure));
            } else {
                caller.complete(hold.isHeld());
            }
        });
        return caller;
    }

    /** An answer counts whenever it arrives; {@code outcome} is told of it, or of the failure, within {@code limit}. */
    private void extend(
            Tenure tenure,
            Duration ttl,
            Duration limit,
            BiConsumer<@Nullable Duration, @Nullable StoreException> outcome) {
        long sentAt = time.now();
        calls.within(
                limit,
                () -> store.extend(tenure.claim(), tenure.serverToken(), ttl),
                (left, failure) -> {
                    learned(tenure, sentAt, left);
                    outcome.accept(left, failure);
                },
                (left, failure) -> learned(tenure, sentAt, left));
    }

    /**
     * What the store answers to an extension that was sent at {@code sentAt}.
     *
     * @param left how long the lease lasts from then on at least; zero if it is over; null if there is no answer
     */
    static void learned(Tenure tenure, long sentAt, @Nullable Duration left) {
        if (left == null || tenure.isOver()) {
            return;
        }
        if (left.isZero()) {
            tenure.lose(LossReason.NOT_OWNER);
        } else if (tenure.isExpired()) {
            tenure.lose(LossReason.DEADLINE);
        } else {
            tenure.extended(sentAt, left);
            tenure.trust();
        }
    }
}
