package io.distributedlock;

import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Watches over every lock that is held: has those without an explicit ttl renewed, and tells each holder before its lease ends. */
final class Watchdog {

    private final Set<Tenure> tenures = ConcurrentHashMap.newKeySet();
    private final Renewal renewal;
    private final HolderCheck holders;

    Watchdog(LockStore store, Timeline time, Renewal renewal, HolderCheck holders) {
        this.holders = holders;
        this.renewal = renewal;
        store.onReachable(() -> time.after(Duration.ZERO, this::revalidate));
    }

    void watch(Tenure tenure, long sentAt) {
        tenures.add(tenure);
        renewal.start(tenure, sentAt);
    }

    /** Ends renewal. It has to be called before a release is sent, so that no renewal follows it. */
    void forget(Tenure tenure) {
        tenures.remove(tenure);
        tenure.end();
    }

    /** One timer for each lock is due at its next renewal or at the end of its lease, whichever comes first. */
    void check(Tenure tenure) {
        Hold hold = tenure.hold();
        if (hold != null && !tenure.endsIfOverdue()) {
            holders.check(hold);
            if (!tenure.isOver()) {
                renewal.proceed(tenure);
            }
        }
    }

    /** The store was away and is back, perhaps without its data: asks for every lock until it has answered. */
    private void revalidate() {
        for (Tenure tenure : tenures) {
            if (!tenure.isOver()) {
                tenure.doubt();
                renewal.ask(tenure);
            }
        }
    }

    /** How late the latest look at a lock is that is due by now; zero if none is. */
    Duration overdue() {
        return tenures.stream().map(Tenure::overdue).max(Duration::compareTo).orElse(Duration.ZERO);
    }

    Collection<Hold> held() {
        return tenures.stream().map(Tenure::hold).filter(Objects::nonNull).toList();
    }
}
