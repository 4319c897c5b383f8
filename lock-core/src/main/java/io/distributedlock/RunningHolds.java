package io.distributedlock;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The longest hold of each lock name that is going on, looked up four times a second at most, however many locks are held and asked for. */
final class RunningHolds implements TtlPolicy.RunningLocks {

    static final Duration FRESH = Duration.ofMillis(250);

    private final AtomicBoolean looking = new AtomicBoolean();
    private final Timeline time;
    private final Supplier<Collection<Hold>> held;
    private volatile Look last;

    RunningHolds(Timeline time, Supplier<Collection<Hold>> held) {
        this.time = time;
        this.held = held;
        this.last = new Look(Map.of(), time.now() - FRESH.toNanos());
    }

    @Override
    public Duration longest(String lockName) {
        if (time.since(last.takenAt()).compareTo(FRESH) >= 0 && looking.compareAndSet(false, true)) {
            try {
                last = look();
            } finally {
                looking.set(false);
            }
        }
        return last.longest().getOrDefault(lockName, Duration.ZERO);
    }

    private Look look() {
        Map<String, Duration> longest = new HashMap<>();
        for (Hold hold : held.get()) {
            longest.merge(hold.id().name(), hold.held(), (one, other) -> one.compareTo(other) >= 0 ? one : other);
        }
        return new Look(longest, time.now());
    }

    private record Look(Map<String, Duration> longest, long takenAt) {}
}
