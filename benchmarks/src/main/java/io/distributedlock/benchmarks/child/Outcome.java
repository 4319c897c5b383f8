package io.distributedlock.benchmarks.child;

import io.distributedlock.benchmarks.figures.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What came of an order.
 *
 * @param counts how often each thread was granted the lock within the time
 * @param waits how long the threads waited, in the buckets of {@link Waits}
 * @param maxWaitNanos the longest of these
 * @param refused how often a thread was not granted the lock within its patience
 * @param errors how many calls failed
 * @param failure what the first of these said
 * @param cpu the time of all processors that the process used
 * @param atNanos when the lock was granted, or its release was called, by {@link System#nanoTime()}
 */
public record Outcome(
        List<Long> counts,
        Map<Integer, Long> waits,
        long maxWaitNanos,
        long refused,
        long errors,
        Optional<String> failure,
        Duration cpu,
        long atNanos) {

    static Outcome at(long nanos) {
        return new Outcome(List.of(), Map.of(), 0, 0, 0, Optional.empty(), Duration.ZERO, nanos);
    }

    static Outcome failed(RuntimeException failure) {
        return new Outcome(List.of(), Map.of(), 0, 0, 1, Optional.of(text(failure)), Duration.ZERO, 0);
    }

    static String text(Throwable failure) {
        return failure.getClass().getSimpleName() + ": " + failure.getMessage();
    }

    /** How often the lock was granted. */
    public long granted() {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    /** How long the threads waited. */
    public Waits waited() {
        return Waits.of(waits, maxWaitNanos);
    }
}
