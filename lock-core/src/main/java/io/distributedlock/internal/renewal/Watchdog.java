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
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Watches over every lock that is held: has those without an explicit ttl renewed, and notifies each holder before its
 * lease ends.
 */
public final class Watchdog {

    private final LeaseRegistry heldLeases;
    private final Scheduler time;
    private final LeaseRenewer renewal;
    private final StuckHolderDetector holders;

    public Watchdog(
            LockStore store,
            Scheduler time,
            LeaseRegistry heldLeases,
            LeaseRenewer renewal,
            StuckHolderDetector holders) {
        this.time = time;
        this.heldLeases = heldLeases;
        this.renewal = renewal;
        this.holders = holders;
        store.onReachable(this::revalidateSoon);
        if (store instanceof LockInspection inspection) {
            inspection.onForceReleased(released -> time.after(Duration.ZERO, () -> loseForced(released)));
        }
    }

    public void watch(HeldLease heldLease, long sentAt) {
        heldLeases.add(heldLease);
        if (!heldLease.isOver()) {
            renewal.start(heldLease, sentAt);
        }
    }

    /**
     * One timer for each lock is due at its next renewal or at the end of its lease, whichever comes first. Whatever
     * fails here, the next look is planned.
     */
    public void check(HeldLease heldLease) {
        try {
            heldLease.context().suspensions().look();
            LockHold hold = heldLease.hold();
            if (hold != null && !heldLease.endsIfOverdue()) {
                holders.check(hold);
                renewal.proceed(heldLease);
            }
        } catch (RuntimeException | Error unexpected) {
            LeaseRenewer.goOn(heldLease, unexpected);
        }
    }

    /** The store was away and is back, perhaps without its data, or the leases ran on while the machine stood still. */
    public void revalidateSoon() {
        time.after(Duration.ZERO, this::revalidate);
    }

    /** Asks for every lock until the store has answered. */
    private void revalidate() {
        for (HeldLease heldLease : heldLeases.all()) {
            if (!heldLease.isOver()) {
                heldLease.doubt();
                check(heldLease);
            }
        }
    }

    /**
     * The claim of this owner is released by force: it is lost, if it is here, also if no hold has it at this moment.
     * Returns whether it was.
     */
    public boolean loseForced(String owner) {
        return loseForced(owner::equals);
    }

    private boolean loseForced(Predicate<String> released) {
        boolean lost = false;
        for (HeldLease heldLease : heldLeases.all()) {
            lost |= released.test(heldLease.claim().owner()) && heldLease.lose(LossReason.FORCED);
        }
        return lost;
    }

    /** How late the latest look at a lock is that is due by now; zero if none is. */
    public Duration overdue() {
        return heldLeases.all().stream()
                .map(HeldLease::overdue)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Loses everything that is held, if that is still wanted; what is granted after the question is not concerned. */
    public void loseAll(LossReason reason, BooleanSupplier isWanted) {
        List<HeldLease> held = heldLeases.all();
        if (isWanted.getAsBoolean()) {
            held.forEach(heldLease -> heldLease.lose(reason));
        }
    }

    public Collection<LockHold> held() {
        return holds().stream().filter(hold -> !hold.isReleased()).toList();
    }

    /** All that have not given back what the store granted, those included whose holder is just releasing. */
    public Collection<LockHold> holds() {
        return heldLeases.all().stream()
                .map(HeldLease::hold)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
    }
}
