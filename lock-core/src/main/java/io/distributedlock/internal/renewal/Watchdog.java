package io.distributedlock.internal.renewal;

import io.distributedlock.LossReason;
import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LeaseRegistry;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;

/** Watches over every lock that is held: has those without an explicit ttl renewed, and tells each holder before its lease ends. */
public final class Watchdog {

    private final LeaseRegistry tenures;
    private final Scheduler time;
    private final LeaseRenewer renewal;
    private final StuckHolderDetector holders;

    public Watchdog(LockStore store, Scheduler time, LeaseRegistry tenures, LeaseRenewer renewal, StuckHolderDetector holders) {
        this.time = time;
        this.tenures = tenures;
        this.renewal = renewal;
        this.holders = holders;
        store.onReachable(this::revalidateSoon);
        if (store instanceof LockInspection inspection) {
            inspection.onForceReleased(owner -> time.after(Duration.ZERO, () -> loseForced(owner)));
        }
    }

    public void watch(HeldLease tenure, long sentAt) {
        tenures.add(tenure);
        renewal.start(tenure, sentAt);
    }

    /**
     * One timer for each lock is due at its next renewal or at the end of its lease, whichever comes first. Whatever fails here, the next look is
     * planned.
     */
    public void check(HeldLease tenure) {
        try {
            tenure.context().suspensions().look();
            LockHold hold = tenure.hold();
            if (hold != null && !tenure.endsIfOverdue()) {
                holders.check(hold);
                renewal.proceed(tenure);
            }
        } catch (RuntimeException | Error unexpected) {
            LeaseRenewer.goOn(tenure, unexpected);
        }
    }

    /** The store was away and is back, perhaps without its data, or the leases ran on while the machine stood still. */
    public void revalidateSoon() {
        time.after(Duration.ZERO, this::revalidate);
    }

    /** Asks for every lock until the store has answered. */
    private void revalidate() {
        for (HeldLease tenure : tenures.all()) {
            if (!tenure.isOver()) {
                tenure.doubt();
                check(tenure);
            }
        }
    }

    /** The claim of this owner is released by force: it is lost, if it is here, also if no hold has it at this moment. Gives whether it was. */
    public boolean loseForced(String owner) {
        boolean lost = false;
        for (HeldLease tenure : tenures.all()) {
            lost |= tenure.claim().owner().equals(owner) && tenure.lose(LossReason.FORCED);
        }
        return lost;
    }

    /** How late the latest look at a lock is that is due by now; zero if none is. */
    public Duration overdue() {
        return tenures.all().stream()
                .map(HeldLease::overdue)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Loses everything that is held. */
    public void loseAll(LossReason reason) {
        tenures.all().forEach(tenure -> tenure.lose(reason));
    }

    public Collection<LockHold> held() {
        return holds().stream().filter(hold -> !hold.isReleased()).toList();
    }

    /** All that have not given back what the store granted, those included whose holder is just releasing. */
    public Collection<LockHold> holds() {
        return tenures.all().stream()
                .map(HeldLease::hold)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
    }
}
