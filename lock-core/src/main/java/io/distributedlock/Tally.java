package io.distributedlock;

import io.distributedlock.LockStatistics.Ambiguity;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What an engine counts while it works. */
final class Tally {

    private final LongAdder renewals = new LongAdder();
    private final LongAdder failedRenewals = new LongAdder();
    private final Map<Ambiguity, LongAdder> resolved = new EnumMap<>(Ambiguity.class);
    private final RecentMaximum lag;

    Tally(Timeline time) {
        this.lag = new RecentMaximum(time);
        for (Ambiguity ambiguity : Ambiguity.values()) {
            resolved.put(ambiguity, new LongAdder());
        }
    }

    void renewed(int locks) {
        renewals.add(locks);
    }

    void renewalFailed() {
        failedRenewals.increment();
    }

    /** A look at a held lock came so much later than it was planned. */
    void late(Duration by) {
        lag.record(by);
    }

    void resolved(Ambiguity ambiguity) {
        adder(ambiguity).increment();
    }

    private LongAdder adder(Ambiguity ambiguity) {
        LongAdder adder = resolved.get(ambiguity);
        if (adder == null) {
            throw new IllegalStateException("There is a counter for each kind, but none for " + ambiguity);
        }
        return adder;
    }

    long renewals() {
        return renewals.sum();
    }

    long failedRenewals() {
        return failedRenewals.sum();
    }

    Duration lag() {
        return lag.get();
    }

    Map<Ambiguity, Long> resolved() {
        Map<Ambiguity, Long> counts = new EnumMap<>(Ambiguity.class);
        resolved.forEach((ambiguity, count) -> counts.put(ambiguity, count.sum()));
        return Map.copyOf(counts);
    }
}
