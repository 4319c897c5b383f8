package io.distributedlock;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The longest hold of each lock name that is going on, looked up four times a second at most, however many locks are held and asked for. */
final class RunningHolds implements TtlPolicy.RunningLocks {

    static final Duration FRESH = Duration.ofMillis(250);

    private final AtomicBoolean looking = new AtomicBoolean();
    private final Supplier<Engine> engine;
    private volatile @Nullable Look last;

    /** @param engine is asked for when somebody wants to know, not before */
    RunningHolds(Supplier<Engine> engine) {
        this.engine = engine;
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
        return engine.get().time().since(look.takenAt()).compareTo(FRESH) >= 0;
    }

    private Look look() {
        Map<String, Duration> longest = new HashMap<>();
        for (Hold hold : engine.get().watchdog().held()) {
            longest.merge(hold.id().name(), hold.held(), (one, other) -> one.compareTo(other) >= 0 ? one : other);
        }
        return new Look(longest, engine.get().time().now());
    }

    private record Look(Map<String, Duration> longest, long takenAt) {}
}
