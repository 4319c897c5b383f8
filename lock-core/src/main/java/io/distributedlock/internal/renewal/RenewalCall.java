package io.distributedlock.internal.renewal;

import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.store.StoreCalls;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.BatchExtensionCallback;
import io.distributedlock.spi.PreparedBatchExtension;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Renewals that were asked for in one call of the store. Each has an outcome of its own, at the common deadline at the
 * latest.
 */
final class RenewalCall implements BatchExtensionCallback {

    private static final int OPEN = 0;
    private static final int REPORTED = 1;

    /** How the answers for the locks of a round are reported. */
    private enum Manner {
        UNDECIDED,
        AS_ONE,
        EACH
    }

    private final LeaseRenewer renewal;
    private final RenewalBatch group;
    private final List<HeldLease> heldLeases;
    private final BatchKey terms;
    private final long sentAt;
    private final long safeUntil;
    private final long nextDue;
    private final boolean whole;
    private final AtomicIntegerArray outcomes;
    private final AtomicInteger open;
    private final AtomicReference<Manner> manner = new AtomicReference<>(Manner.UNDECIDED);
    private final AtomicBoolean planned = new AtomicBoolean();
    private volatile Scheduler.Timer deadline = Scheduler.Timer.NONE;

    /** @param whole whether one answer may be reported for all locks of the group */
    RenewalCall(LeaseRenewer renewal, RenewalBatch group, boolean whole) {
        this.renewal = renewal;
        this.group = group;
        this.heldLeases = group.heldLeases();
        this.terms = group.terms();
        this.sentAt = renewal.time().now();
        this.safeUntil = LeaseTerms.safeUntil(sentAt, terms.ttl());
        this.nextDue = LeaseRenewer.nextDue(sentAt, safeUntil, terms.lease());
        this.whole = whole;
        this.outcomes = new AtomicIntegerArray(heldLeases.size());
        this.open = new AtomicInteger(heldLeases.size());
    }

    void start(PreparedBatchExtension extension) {
        deadline = renewal.time().after(terms.limit(), this::endAll);
        try {
            extension.extend(this);
        } catch (RuntimeException | Error thrown) {
            endAll(StoreCalls.classify(thrown));
        }
    }

    long sentAt() {
        return sentAt;
    }

    /** An answer counts whenever it arrives; the outcome was reported before if it comes after the deadline. */
    @Override
    public void ended(int place, @Nullable Duration left, @Nullable Throwable failure) {
        LeaseRenewer.learned(heldLeases.get(place), sentAt, left);
        tell(place, left, failure == null ? null : StoreCalls.classify(failure));
    }

    /** Most rounds end with this, and touch none of the locks. */
    @Override
    public boolean allHeld(int count) {
        if (!whole || count != heldLeases.size() || isLate()) {
            return false;
        }
        group.extended(sentAt, safeUntil);
        if (!manner.compareAndSet(Manner.UNDECIDED, Manner.AS_ONE)) {
            return false;
        }
        deadline.cancel();
        renewal.counters().renewed(count);
        try {
            group.lookAt(nextDue);
        } catch (RuntimeException | Error unexpected) {
            group.goOn(unexpected);
        }
        return true;
    }

    /**
     * The answer comes so late that a lease of theirs may have been over meanwhile, and a holder may have seen that.
     */
    private boolean isLate() {
        return renewal.time().since(sentAt).compareTo(terms.limit()) > 0;
    }

    private void endAll() {
        endAll(StoreException.unknown("no reply within " + terms.limit().toMillis() + " ms", null));
    }

    private void endAll(StoreException failure) {
        for (int place = 0; place < heldLeases.size(); place++) {
            tell(place, null, failure);
        }
    }

    private void tell(int place, @Nullable Duration left, @Nullable StoreException failure) {
        if (isToldEach() && outcomes.compareAndSet(place, OPEN, REPORTED)) {
            if (open.decrementAndGet() == 0) {
                deadline.cancel();
            }
            renewal.answered(heldLeases.get(place), this, left, failure);
        }
    }

    private boolean isToldEach() {
        return manner.compareAndSet(Manner.UNDECIDED, Manner.EACH) || manner.get() == Manner.EACH;
    }

    /**
     * The next look at a lock that was confirmed: with the others of its group, if that may be. Returns whether it was
     * planned.
     */
    boolean takesAlong(HeldLease heldLease) {
        if (!group.takesAlong(heldLease, nextDue)) {
            return false;
        }
        if (planned.compareAndSet(false, true)) {
            plan();
        }
        return true;
    }

    private void plan() {
        try {
            group.lookAt(nextDue);
        } catch (RuntimeException | Error unexpected) {
            planned.set(false);
            throw unexpected;
        }
    }
}
