package io.distributedlock.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Lets so many leases be tracked that the server hardly notices. Tracking one costs it about four times as much as extending it, which a process with
 * tens of thousands of locks would make it pay every few seconds.
 */
final class TrackingBudget {

    static final int LEASES_A_SECOND = 1_000;

    private static final long COST = Duration.ofSeconds(1).toNanos() / LEASES_A_SECOND;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final LongSupplier nanoTime;

    /** When all that was let through is paid for. */
    private final AtomicLong paidAt;

    TrackingBudget(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.paidAt = new AtomicLong(nanoTime.getAsLong());
    }

    /** Whether so many leases can be tracked now. If so, that was done. */
    boolean allows(int leases) {
        long now = nanoTime.getAsLong();
        long paid = paidAt.get();
        long from = paid - now > 0 ? paid : now;
        long until = from + leases * COST;
        return until - now <= SECOND && paidAt.compareAndSet(paid, until);
    }
}
