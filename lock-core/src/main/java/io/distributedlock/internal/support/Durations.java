package io.distributedlock.internal.support;

import java.time.Duration;

/** Arithmetic of durations, and of instants of a monotonic clock. */
public final class Durations {

    private Durations() {}

    public static Duration min(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    public static Duration max(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    /**
     * One of so many equal parts. {@link Duration#dividedBy(long)} calculates in decimal fractions, which is too slow
     * for each renewal.
     */
    public static Duration part(Duration whole, int parts) {
        return Duration.ofNanos(whole.toNanos() / parts);
    }

    /** The later one of two instants of a monotonic clock. */
    public static long later(long one, long other) {
        return other - one > 0 ? other : one;
    }
}
