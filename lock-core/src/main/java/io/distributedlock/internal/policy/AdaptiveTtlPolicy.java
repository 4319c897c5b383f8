package io.distributedlock.internal.policy;

import io.distributedlock.AdaptiveTtl;
import io.distributedlock.LockEvent;
import io.distributedlock.LockListener;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockRequest;
import io.distributedlock.TtlPolicy;
import io.distributedlock.internal.support.Durations;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Learns from each lock's life how long locks of its name are held, and decides on leases as {@link AdaptiveTtl} says.
 */
public final class AdaptiveTtlPolicy implements TtlPolicy, LockListener {

    /** How many lock names are distinguished. */
    static final int MAX_NAMES = 1_000;

    private final Map<String, HoldTimeWindow> byName = new ConcurrentHashMap<>();
    private final AdaptiveTtl settings;

    public AdaptiveTtlPolicy(AdaptiveTtl settings) {
        this.settings = settings;
    }

    @Override
    public Duration ttl(LockRequest request, RunningLocks running) {
        HoldTimeWindow times = timesOf(request.name());
        return times == null ? settings.max() : decide(times.summary(), running.longest(request.name()));
    }

    private @Nullable HoldTimeWindow timesOf(String name) {
        HoldTimeWindow known = byName.get(name);
        if (known != null || byName.size() >= MAX_NAMES) {
            return known;
        }
        return byName.computeIfAbsent(name, any -> new HoldTimeWindow(settings.percentile()));
    }

    private Duration decide(HoldTimeWindow.Summary seen, Duration longestRunning) {
        if (!seen.isEnough()) {
            return settings.max();
        }
        double usual = seen.percentile().toNanos() * factor(seen.ahead());
        double needed = Math.max(seen.longest().toNanos(), longestRunning.toNanos()) * AdaptiveTtl.MIN_FACTOR;
        Duration step = DurationBuckets.above(Duration.ofNanos((long) Math.max(usual, needed)));
        if (step.compareTo(settings.min()) < 0) {
            return settings.min();
        }
        return Durations.min(step, settings.max());
    }

    /**
     * The whole factor for a request that never waits, half of what is above 1 with one hold ahead of each, a third
     * with two.
     */
    private double factor(double ahead) {
        return 1 + (settings.factor() - 1) / (1 + ahead);
    }

    @Override
    public void on(LockEvent event) {
        HoldTimeWindow times = byName.get(event.name());
        if (times == null) {
            return;
        }
        if (event instanceof LockEvent.Acquired acquired) {
            times.waited(acquired.contended() ? acquired.waited() : Duration.ZERO);
        } else if (event instanceof LockEvent.NotAcquired refused
                && refused.reason() instanceof LockNotAcquiredException) {
            times.waited(refused.waited());
        } else if (event instanceof LockEvent.Released released) {
            times.held(released.held());
        } else if (event instanceof LockEvent.Lost lost) {
            lost(times, lost);
        }
    }

    /**
     * A hold that its lease cut off would have gone on for an unknown time, so it counts twice. An abandoned one
     * says nothing.
     */
    private static void lost(HoldTimeWindow times, LockEvent.Lost lost) {
        switch (lost.reason()) {
            case DEADLINE -> times.held(lost.held().multipliedBy(2));
            case NOT_OWNER, ABSENT -> times.held(lost.held());
            default -> {}
        }
    }
}
