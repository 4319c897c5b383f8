package io.distributedlock.internal.renewal;

import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.lease.SharedDeadline;
import io.distributedlock.internal.store.StoreCalls;
import io.distributedlock.internal.time.Deadline;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.PreparedBatchExtension;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Locks that are renewed together, round after round, for as long as that goes well: what is asked of the store is
 * prepared once, one timer looks at them all, and if all of them are held, that is noted once, here.
 *
 * <p>This is the handle of that timer. To plan another look at a single lease removes it from the batch. The
 * lock takes along what has been confirmed until then; what is confirmed to the others later it does not count on.
 */
final class RenewalBatch implements SharedDeadline {

    private final LeaseRenewer renewal;
    private final Scheduler time;
    private final List<HeldLease> heldLeases;
    private final BatchKey terms;
    private final PreparedBatchExtension extension;
    private volatile long dueAt;
    private volatile Deadline deadline;

    RenewalBatch(LeaseRenewer renewal, List<HeldLease> heldLeases, BatchKey terms) {
        this.renewal = renewal;
        this.time = renewal.time();
        this.heldLeases = heldLeases;
        this.terms = terms;
        this.extension = prepared();
        this.dueAt = time.now();
        this.deadline = new Deadline(dueAt, 0);
    }

    /** A store that throws does so for those whose renewals they are, once they are asked for. */
    private PreparedBatchExtension prepared() {
        List<Claim> claims = heldLeases.stream().map(HeldLease::claim).toList();
        long token = heldLeases.stream().mapToLong(HeldLease::serverToken).max().orElse(0);
        try {
            return PreparedBatchExtension.of(
                    renewal.store(), claims, token, terms.lease().stored(terms.ttl()));
        } catch (RuntimeException | Error thrown) {
            StoreException failure = StoreCalls.classify(thrown);
            return answers -> {
                throw failure;
            };
        }
    }

    List<HeldLease> heldLeases() {
        return heldLeases;
    }

    BatchKey terms() {
        return terms;
    }

    void ask() {
        ask(isWhole());
    }

    private void ask(boolean whole) {
        new RenewalCall(renewal, this, whole).start(extension);
    }

    /** Whether all are looked at together, for no other reason than their lease. */
    private boolean isWhole() {
        return heldLeases.stream().allMatch(heldLease -> heldLease.group() == this && isFree(heldLease.hold()));
    }

    private static boolean isFree(@Nullable LockHold hold) {
        return hold != null && !hold.isLimited();
    }

    /**
     * Each of them is held, says the store: at least until {@code later}, for a command that was sent at {@code
     * sentAt}.
     */
    void extended(long sentAt, long later) {
        deadline = deadline.or(new Deadline(later, renewal.suspensions().before(sentAt)));
    }

    /** Until when all are held at least, which a single one may exceed. */
    @Override
    public Deadline deadline() {
        return deadline;
    }

    /** When the next look at all of them is due. */
    @Override
    public long dueAt() {
        return dueAt;
    }

    /** Plans the next look at all that belong to it then. */
    void lookAt(long instant) {
        dueAt = instant;
        time.after(time.until(instant), this::due);
    }

    /**
     * Has a lock looked at together with the others, at {@code due}, unless that does not depend on the lease alone.
     * Returns whether it is. Its holder may change at any time, so it is looked at twice.
     */
    boolean takesAlong(HeldLease heldLease, long due) {
        LockHold hold = heldLease.hold();
        if (hold == null || hold.isLimited() || !terms.lease().renewed()) {
            return false;
        }
        dueAt = due;
        heldLease.lookedAtBy(this);
        return heldLease.belongsTo(hold);
    }

    /** The next round. Whatever fails here, the next look at each of the locks is planned. */
    private void due() {
        try {
            renewal.suspensions().look();
            proceed();
        } catch (RuntimeException | Error unexpected) {
            goOn(unexpected);
        }
    }

    void goOn(Throwable unexpected) {
        heldLeases.stream()
                .filter(heldLease -> heldLease.group() == this)
                .forEach(heldLease -> LeaseRenewer.goOn(heldLease, unexpected));
    }

    /** What is left of a group that is not complete any more joins others that are due. */
    private void proceed() {
        if (goesOnAsOne()) {
            ask(true);
            return;
        }
        List<HeldLease> left = heldLeases.stream()
                .filter(heldLease -> heldLease.group() == this && renewal.mayGoOn(heldLease))
                .toList();
        if (left.size() == heldLeases.size()) {
            ask();
        } else {
            left.forEach(renewal::ask);
        }
    }

    /** Whether it is in time, and there is nothing to do about any of them but to renew it. */
    private boolean goesOnAsOne() {
        long now = time.now();
        Duration late = Duration.ofNanos(now - dueAt);
        Duration patience = Duration.ofNanos((deadline.instant() - now) / 2);
        if (late.compareTo(terms.lease().maxLag()) > 0
                || patience.compareTo(terms.lease().renewalTimeout()) < 0) {
            return false;
        }
        renewal.counters().late(late);
        for (HeldLease heldLease : heldLeases) {
            LockHold hold = heldLease.hold();
            if (hold == null
                    || heldLease.group() != this
                    || heldLease.isExpired()
                    || renewal.holders().isConcernedWith(hold, now)) {
                return false;
            }
        }
        return true;
    }

    /** A lock that leaves leaves the others where they are. */
    @Override
    public void cancel() {}
}
