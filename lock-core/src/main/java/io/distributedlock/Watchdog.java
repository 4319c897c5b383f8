package io.distributedlock;

import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Watches over every lock that is held: has those without an explicit ttl renewed, and tells each holder before its lease ends. */
final class Watchdog {

    private final Tenures tenures = new Tenures();
    private final Timeline time;
    private final Renewal renewal;
    private final HolderCheck holders;

    Watchdog(LockStore store, Timeline time, Renewal renewal, HolderCheck holders) {
        this.time = time;
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

    /** Ends renewal, before a release is sent, so that no renewal follows it. Gives false if the tenure had ended before. */
    boolean forget(Tenure tenure) {
        tenures.remove(tenure);
        return tenure.end() != null;
    }

    /**
     * One timer for each lock is due at its next renewal or at the end of its lease, whichever comes first. Whatever fails here, the next look is
     * planned.
     */
    void check(Tenure tenure) {
        try {
            tenure.engine().suspensions().look();
            Hold hold = tenure.hold();
            if (hold != null && !tenure.endsIfOverdue()) {
                holders.check(hold);
                renewal.proceed(tenure);
            }
        } catch (RuntimeException | Error unexpected) {
            goOn(tenure, unexpected);
        }
    }

    /**
     * Looks at one of many locks that are due together. Gives whether it is to be renewed with them; if not, it was lost, or is asked for alone
     * because there is too little time left.
     */
    boolean mayGoOn(Tenure tenure) {
        try {
            tenure.engine().tally().late(tenure.overdue());
            Hold hold = tenure.hold();
            if (hold == null || tenure.endsIfOverdue()) {
                return false;
            }
            holders.check(hold);
            renewal.tellIfLate(tenure);
            if (renewal.isUrgent(tenure)) {
                renewal.ask(tenure);
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
            renewal.answered(tenure, round.sentAt(), round, left, failure);
        } catch (RuntimeException | Error unexpected) {
            goOn(tenure, unexpected);
        }
    }

    /** The next look at it, whatever has gone wrong. */
    static void goOn(Tenure tenure, Throwable unexpected) {
        tenure.checkIn(tenure.lease().renewalRetry());
        Warnings.write(
                Watchdog.class, "The watch over lock '" + tenure.id().display() + "' failed; it goes on", unexpected);
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
