package io.distributedlock.internal.policy;

import io.distributedlock.TtlPolicy;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.time.Scheduler;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The longest hold of each lock name that is going on, looked up four times a second at most, however many locks are
 * held and asked for.
 */
public final class LongestActiveHolds implements TtlPolicy.RunningLocks {

    static final Duration FRESH = Duration.ofMillis(250);

    private final AtomicBoolean looking = new AtomicBoolean();
    private final Supplier<Collection<LockHold>> held;
    private final Supplier<Scheduler> time;
    private volatile @Nullable Look last;

    /**
     * @param held what is held; called when that has to be known, not before
     * @param time likewise
     */
    public LongestActiveHolds(Supplier<Collection<LockHold>> held, Supplier<Scheduler> time) {
        this.held = held;
        this.time = time;
    }

    @Override
    public Duration longest(String lockName) {
        Look latest = last;
        if ((latest == null || isOld(latest)) && looking.compareAndSet(false, true)) {
            try {
                latest = look();
                last = latest;
            } finally {
                looking.set(false);
            }
        }
        return latest == null ? Duration.ZERO : latest.longest().getOrDefault(lockName, Duration.ZERO);
    }

    private boolean isOld(Look look) {
        return time.get().since(look.takenAt()).compareTo(FRESH) >= 0;
    }

    private Look look() {
        Map<String, Duration> longest = new HashMap<>();
        for (LockHold hold : held.get()) {
            longest.merge(hold.id().name(), hold.held(), (one, other) -> one.compareTo(other) >= 0 ? one : other);
        }
        return new Look(longest, time.get().now());
    }

    private record Look(Map<String, Duration> longest, long takenAt) {}
}
