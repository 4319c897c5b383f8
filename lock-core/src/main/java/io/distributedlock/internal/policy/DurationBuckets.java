package io.distributedlock.internal.policy;

import io.distributedlock.LockOptions;
import io.distributedlock.internal.support.Durations;
import java.time.Duration;
import java.util.Arrays;

/**
 * The lengths to which hold times and leases are rounded: 1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3 and 8 ms, and so on in
 * each power of ten up to a year. Leases in steps stay equal while the load is, and equal leases can be passed on
 * within a process.
 */
final class DurationBuckets {

    private static final int[] HUNDREDTHS = {100, 125, 160, 200, 250, 315, 400, 500, 630, 800};
    private static final int LAST = 105;
    private static final long[] NANOS = new long[LAST + 1];

    static {
        long unit = Duration.ofMillis(1).toNanos() / 100;
        for (int i = 0; i <= LAST; i++) {
            NANOS[i] = HUNDREDTHS[i % HUNDREDTHS.length] * unit;
            unit *= i % HUNDREDTHS.length == HUNDREDTHS.length - 1 ? 10 : 1;
        }
    }

    private DurationBuckets() {}

    static Duration at(int index) {
        return Duration.ofNanos(NANOS[index]);
    }

    /** The smallest step that is not less than {@code time}, or the last one. */
    static int indexAbove(Duration time) {
        int found = Arrays.binarySearch(
                NANOS, Durations.min(time, LockOptions.MAX_DURATION).toNanos());
        return found >= 0 ? found : Math.min(-found - 1, LAST);
    }

    static Duration above(Duration time) {
        return at(indexAbove(time));
    }
}
