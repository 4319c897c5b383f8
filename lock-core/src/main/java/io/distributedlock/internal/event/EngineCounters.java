package io.distributedlock.internal.event;

import io.distributedlock.LockStatistics.Ambiguity;
import io.distributedlock.internal.time.Scheduler;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What an engine counts while it works. */
public final class EngineCounters {

    private final LongAdder renewals = new LongAdder();
    private final LongAdder failedRenewals = new LongAdder();
    private final Map<Ambiguity, LongAdder> resolved = new EnumMap<>(Ambiguity.class);
    private final RecentMaximum lag;

    public EngineCounters(Scheduler time) {
        this.lag = new RecentMaximum(time);
        for (Ambiguity ambiguity : Ambiguity.values()) {
            resolved.put(ambiguity, new LongAdder());
        }
    }

    public void renewed(int locks) {
        renewals.add(locks);
    }

    public void renewalFailed() {
        failedRenewals.increment();
    }

    /** A look at a held lock came so much later than it was planned. */
    public void late(Duration by) {
        lag.record(by);
    }

    public void resolved(Ambiguity ambiguity) {
        adder(ambiguity).increment();
    }

    private LongAdder adder(Ambiguity ambiguity) {
        LongAdder adder = resolved.get(ambiguity);
        if (adder == null) {
            throw new IllegalStateException("There is a counter for each kind, but none for " + ambiguity);
        }
        return adder;
    }

    public long renewals() {
        return renewals.sum();
    }

    public long failedRenewals() {
        return failedRenewals.sum();
    }

    public Duration lag() {
        return lag.get();
    }

    public Map<Ambiguity, Long> resolved() {
        Map<Ambiguity, Long> counts = new EnumMap<>(Ambiguity.class);
        resolved.forEach((ambiguity, count) -> counts.put(ambiguity, count.sum()));
        return Map.copyOf(counts);
    }
}
