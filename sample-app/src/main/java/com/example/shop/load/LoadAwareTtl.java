package com.example.shop.load;

import io.distributedlock.LockEvent;
import io.distributedlock.LockListener;
import io.distributedlock.LockRequest;
import io.distributedlock.TtlPolicy;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * The policy {@code loadAware}: a lease of 5 s that grows while the machine has more to run than processors, and while
 * Redis answers slowly, because both delay the renewals that have to come in time. A short lease frees the lock soon
 * after a crash; a lease that is too short for a busy machine is lost although its holder is well.
 */
@Component("loadAware")
class LoadAwareTtl implements TtlPolicy, LockListener {

    private static final Duration CALM = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** So many round trips are added: a renewal that fails ten times in a row still has time left. */
    private static final long ROUND_TRIPS = 100;

    /** The newest measurement counts for one part in so many. */
    private static final long SMOOTHING = 8;

    private final DoubleSupplier loadPerProcessor;
    private final AtomicLong latencyNanos = new AtomicLong();

    @Autowired
    LoadAwareTtl() {
        this(LoadAwareTtl::systemLoad);
    }

    LoadAwareTtl(DoubleSupplier loadPerProcessor) {
        this.loadPerProcessor = loadPerProcessor;
    }

    @Override
    public Duration ttl(LockRequest request, RunningLocks running) {
        double busy = Math.max(1, loadPerProcessor.getAsDouble());
        Duration wanted =
                Duration.ofMillis((long) (CALM.toMillis() * busy)).plusNanos(ROUND_TRIPS * latencyNanos.get());
        return wanted.compareTo(LONGEST) < 0 ? wanted : LONGEST;
    }

    /** A lock that no one else wanted was granted after one round trip to Redis: that is its latency. */
    @Override
    public void on(LockEvent event) {
        if (event instanceof LockEvent.Acquired acquired && !acquired.contended()) {
            long latest = Math.min(acquired.waited().toNanos(), LONGEST.toNanos());
            latencyNanos.updateAndGet(known -> known + (latest - known) / SMOOTHING);
        }
    }

    /** Negative where the system does not say. */
    private static double systemLoad() {
        var system = ManagementFactory.getOperatingSystemMXBean();
        return system.getSystemLoadAverage() / system.getAvailableProcessors();
    }
}
