package io.distributedlock.internal.policy;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last holds of one lock name, each as one step of {@link DurationBuckets} in a byte, and how long the line is that
 * its requests stand in.
 *
 * <p>The line is reckoned in holds waited for rather than counted: that covers waiters in other processes, and shows
 * many waiters for one key from many keys.
 */
final class HoldTimeWindow {

    /** How many holds are remembered. */
    static final int WINDOW = 100;

    /** How many holds have to be known before they say anything. */
    static final int ENOUGH = 10;

    private static final double MAX_AHEAD = 100;
    private static final int WEIGHT = 16;

    /** Guards everything below but the summary, which is replaced under it as a whole. */
    private final Lock guard = new ReentrantLock();

    private final byte[] steps = new byte[WINDOW];
    private final double percentile;
    private int count;
    private int next;
    private double ahead;
    private volatile Summary summary = new Summary(Duration.ZERO, Duration.ZERO, Duration.ZERO, 0, false);

    HoldTimeWindow(double percentile) {
        this.percentile = percentile;
    }

    Summary summary() {
        return summary;
    }

    /** A hold has ended. */
    void held(Duration time) {
        guard.lock();
        try {
            steps[next] = (byte) DurationBuckets.indexAbove(time);
            next = (next + 1) % WINDOW;
            count = Math.min(count + 1, WINDOW);
            summarize();
        } finally {
            guard.unlock();
        }
    }

    /** A request was answered that waited so long for other holders; zero if it met none. */
    void waited(Duration time) {
        guard.lock();
        try {
            average(time);
        } finally {
            guard.unlock();
        }
    }

    private void average(Duration time) {
        long usual = summary.median().toNanos();
        double holds = usual == 0 ? 0 : Math.min(MAX_AHEAD, (double) time.toNanos() / usual);
        ahead += (holds - ahead) / WEIGHT;
        summary = new Summary(summary.median(), summary.percentile(), summary.longest(), ahead, summary.isEnough());
    }

    private void summarize() {
        byte[] sorted = Arrays.copyOf(steps, count);
        Arrays.sort(sorted);
        summary = new Summary(at(sorted, 0.5), at(sorted, percentile), at(sorted, 1), ahead, count >= ENOUGH);
    }

    private static Duration at(byte[] sorted, double part) {
        int rank = Math.max(1, (int) Math.ceil(part * sorted.length));
        return DurationBuckets.at(sorted[rank - 1]);
    }

    /**
     * What the holds come to, each rounded up to a step.
     *
     * @param ahead how many usual holds a request waits for, averaged over the last requests
     * @param isEnough whether this says anything
     */
    record Summary(Duration median, Duration percentile, Duration longest, double ahead, boolean isEnough) {}
}
