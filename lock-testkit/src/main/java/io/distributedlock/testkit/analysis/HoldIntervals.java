package io.distributedlock.testkit.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Answers quickly whether any of many calls had something, from an instant to another, at a time of interest. */
public final class HoldIntervals {
    private final List<Had> sorted;
    private final long[] latestEnd;

    /** A call had it from begin to end. */
    record Had(Call call, long begin, long end) {}

    HoldIntervals(List<Had> all) {
        this.sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparingLong(Had::begin));
        this.latestEnd = new long[sorted.size()];
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < latestEnd.length; i++) {
            latest = Math.max(latest, sorted.get(i).end());
            latestEnd[i] = latest;
        }
    }

    /** Whether a call other than this one had it at some instant between these two. */
    public boolean byOther(Call call, long begin, long end) {
        for (int i = lastBeginningBy(end); i >= 0 && latestEnd[i] >= begin; i--) {
            Had had = sorted.get(i);
            if (had.end() >= begin && had.call() != call) {
                return true;
            }
        }
        return false;
    }

    private int lastBeginningBy(long instant) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted.get(middle).begin() <= instant) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
