package io.distributedlock;

import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;

/** Watches over every lock that is held: has those without an explicit ttl renewed, and tells each holder before its lease ends. */
final class Watchdog {

    private final Tenures tenures;
    private final Timeline time;
    private final Renewal renewal;
    private final HolderCheck holders;

    Watchdog(LockStore store, Timeline time, Tenures tenures, Renewal renewal, HolderCheck holders) {
        this.time = time;
        this.tenures = tenures;
        this.renewal = renewal;
        this.holders = holders;
        store.onReachable(this::revalidateSoon);
        if (store instanceof LockInspection inspection) {
            inspection.onForceReleased(owner -> time.after(Duration.ZERO, () -> loseForced(owner)));
        }
    }

    void watch(Tenure tenure, long sentAt) {
        tenures.add(tenure);
        renewal.start(tenure, sentAt);
    }

    /**
     * One timer for each lock is due at its next renewal or at the end of its lease, whichever comes first. Whatever fails here, the next look is
     * planned.
     */
    void check(Tenure tenure) {
        try {
            tenure.context().suspensions().look();
            Hold hold = tenure.hold();
            if (hold != null && !tenure.endsIfOverdue()) {
                holders.check(hold);
                renewal.proceed(tenure);
            }
        } catch (RuntimeException | Error unexpected) {
            Renewal.goOn(tenure, unexpected);
        }
    }

    /** The store was away and is back, perhaps without its data, or the leases ran on while the machine stood still. */
    void revalidateSoon() {
        time.after(Duration.ZERO, this::revalidate);
    }

    /** Asks for every lock until the store has answered. */
    private void revalidate() {
        for (Tenure tenure : tenures.all()) {
            if (!tenure.isOver()) {
                tenure.doubt();
                check(tenure);
            }
        }
    }

    /** The claim of this owner is released by force: it is lost, if it is here, also if no hold has it at this moment. Gives whether it was. */
    boolean loseForced(String owner) {
        boolean lost = false;
        for (Tenure tenure : tenures.all()) {
            lost |= tenure.claim().owner().equals(owner) && tenure.lose(LossReason.FORCED);
        }
        return lost;
    }

    /** How late the latest look at a lock is that is due by now; zero if none is. */
    Duration overdue() {
        return tenures.all().stream()
                .map(Tenure::overdue)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** Loses everything that is held. */
    void loseAll(LossReason reason) {
        tenures.all().forEach(tenure -> tenure.lose(reason));
    }

    Collection<Hold> held() {
        return holds().stream().filter(hold -> !hold.isReleased()).toList();
    }

    /** All that have not given back what the store granted, those included whose holder is just releasing. */
    Collection<Hold> holds() {
        return tenures.all().stream()
                .map(Tenure::hold)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .toList();
    }
}
