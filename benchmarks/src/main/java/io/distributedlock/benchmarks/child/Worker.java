package io.distributedlock.benchmarks.child;

import io.distributedlock.benchmarks.figures.Waits;
import io.distributedlock.benchmarks.peer.Hold;
import io.distributedlock.benchmarks.peer.PeerClient;
import io.distributedlock.testkit.history.MutualExclusionWord;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One thread that takes and releases a lock until the time is over, and checks that no other thread is inside. */
final class Worker implements Runnable {

    /** Calls that fail at once must not keep a processor busy for the whole time. */
    static final int MAX_ERRORS = 1_000;

    private static final int ONLY_KEY = 0;

    private final Waits waits = new Waits();
    private final Order order;
    private final PeerClient client;
    private final MutualExclusionWord word;
    private final long id;
    private final long endNanos;
    private long granted;
    private long refused;
    private long errors;
    private @Nullable String failure;

    Worker(Order order, PeerClient client, MutualExclusionWord word, long id) {
        this.order = order;
        this.client = client;
        this.word = word;
        this.id = id;
        this.endNanos = order.startNanos() + order.length().toNanos();
    }

    @Override
    public void run() {
        pauseUntil(order.startNanos());
        do {
            try {
                cycle();
            } catch (RuntimeException failed) {
                errors++;
                failure = failure == null ? Outcome.text(failed) : failure;
            }
        } while (System.nanoTime() < endNanos && errors < MAX_ERRORS);
    }

    private void cycle() {
        long begin = System.nanoTime();
        Hold hold = client.acquire(order.key(), order.patience());
        long end = System.nanoTime();
        waits.record(end - begin);
        if (hold == null) {
            refused++;
            return;
        }
        if (end <= endNanos) {
            granted++;
        }
        boolean alone = word.enter(ONLY_KEY, id).isEmpty();
        if (!order.work().isZero()) {
            pauseUntil(end + order.work().toNanos());
        }
        if (alone) {
            word.exit(ONLY_KEY, id);
        }
        hold.release();
    }

    private static void pauseUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    Waits waits() {
        return waits;
    }

    long granted() {
        return granted;
    }

    long refused() {
        return refused;
    }

    long errors() {
        return errors;
    }

    @Nullable
    String failure() {
        return failure;
    }
}
