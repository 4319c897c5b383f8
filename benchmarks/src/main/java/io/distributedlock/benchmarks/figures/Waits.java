package io.distributedlock.benchmarks.figures;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long something took, many times over: counted in buckets that are at most a thirty-second of their value wide, so
 * that what threads and processes have seen can be added up. For one thread at a time.
 */
public final class Waits {

    private static final int SUB_BITS = 5;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;
    private static final int BUCKETS = (Long.SIZE - SUB_BITS) * SUB_BUCKETS;

    private final long[] counts = new long[BUCKETS];
    private long total;
    private long maxNanos;

    /** The same again from what {@link #buckets()} gave; the longest is then known as exactly as its bucket. */
    public static Waits of(Map<Integer, Long> buckets, long maxNanos) {
        Waits waits = new Waits();
        buckets.forEach((bucket, count) -> {
            waits.counts[bucket] += count;
            waits.total += count;
        });
        waits.maxNanos = maxNanos;
        return waits;
    }

    /** Counts one; negative ones, as two clocks that disagree would give, count as zero. */
    public void record(long nanos) {
        long valid = Math.max(0, nanos);
        counts[bucketOf(valid)]++;
        total++;
        maxNanos = Math.max(maxNanos, valid);
    }

    public void add(Waits others) {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            counts[bucket] += others.counts[bucket];
        }
        total += others.total;
        maxNanos = Math.max(maxNanos, others.maxNanos);
    }

    public long total() {
        return total;
    }

    public Duration max() {
        return Duration.ofNanos(maxNanos);
    }

    /** What this share of them did not exceed, for example 0.99; zero if there are none. */
    public Duration quantile(double share) {
        long wanted = Math.max(1, (long) Math.ceil(share * total));
        long seen = 0;
        for (int bucket = 0; bucket < BUCKETS && total > 0; bucket++) {
            seen += counts[bucket];
            if (seen >= wanted) {
                return Duration.ofNanos(Math.min(maxNanos, middleOf(bucket)));
            }
        }
        return Duration.ZERO;
    }

    /** The buckets that are not empty. */
    public Map<Integer, Long> buckets() {
        Map<Integer, Long> buckets = new TreeMap<>();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            if (counts[bucket] > 0) {
                buckets.put(bucket, counts[bucket]);
            }
        }
        return buckets;
    }

    private static int bucketOf(long nanos) {
        if (nanos < SUB_BUCKETS) {
            return (int) nanos;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos) - SUB_BITS;
        return (shift + 1) * SUB_BUCKETS + (int) ((nanos >>> shift) - SUB_BUCKETS);
    }

    private static long middleOf(int bucket) {
        if (bucket < SUB_BUCKETS) {
            return bucket;
        }
        int shift = bucket / SUB_BUCKETS - 1;
        long lowest = (long) (bucket % SUB_BUCKETS + SUB_BUCKETS) << shift;
        return lowest + (1L << shift) / 2;
    }
}
