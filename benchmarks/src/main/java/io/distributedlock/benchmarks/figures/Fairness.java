package io.distributedlock.benchmarks.figures;

import java.util.Collection;

/** How evenly something was shared out. */
public final class Fairness {

    private Fairness() {}

    /**
     * The smallest share in proportion to the largest: 1 if all got the same, 0 if one of them or all got nothing.
     */
    public static double of(Collection<Long> shares) {
        long smallest = shares.stream().mapToLong(Long::longValue).min().orElse(0);
        long largest = shares.stream().mapToLong(Long::longValue).max().orElse(0);
        return largest == 0 ? 0 : (double) smallest / largest;
    }
}
