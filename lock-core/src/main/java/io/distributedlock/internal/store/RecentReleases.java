package io.distributedlock.internal.store;

import io.distributedlock.internal.support.Warnings;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The claims that the store has confirmed as released, until their leases would have ended.
 *
 * <p>A store that was out of reach may come back with older data, in which such a claim holds its lock: a server that
 * was restarted from a snapshot, or a replica that was promoted before the release had reached it. So each claim is
 * released once more then, which has no effect where it is not needed.
 */
final class RecentReleases {

    /** Of more claims than this, the one whose lease would end first is forgotten. */
    static final int CAPACITY = 4_096;

    /** A shorter lease ends about as soon by itself. */
    static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);

    /** A connection that breaks again and again is not given the same releases each time. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private final PriorityBlockingQueue<Released> all = new PriorityBlockingQueue<>();
    private final AtomicBoolean planned = new AtomicBoolean();
    private final LockStore store;
    private final Scheduler time;

    RecentReleases(LockStore store, Scheduler time) {
        this.store = store;
        this.time = time;
        store.onReachable(this::repeatSoon);
    }

    /** @param leaseLeft for how much longer the claim would have held its lock at most */
    void add(Claim claim, Duration leaseLeft) {
        if (leaseLeft.compareTo(SHORTEST_LEASE) >= 0) {
            all.add(new Released(claim, time.now() + leaseLeft.toNanos()));
            forgetSome();
        }
    }

    private void forgetSome() {
        Released first = all.peek();
        while (first != null && (all.size() > CAPACITY || isOver(first))) {
            all.remove(first);
            first = all.peek();
        }
    }

    private boolean isOver(Released released) {
        return time.until(released.leaseEnds()).isZero();
    }

    private void repeatSoon() {
        if (!all.isEmpty() && planned.compareAndSet(false, true)) {
            try {
                time.after(PAUSE, this::repeat);
            } catch (RuntimeException | Error failed) {
                planned.set(false);
                throw failed;
            }
        }
    }

    /** One that is not answered is repeated when the store can be reached again. */
    private void repeat() {
        planned.set(false);
        forgetSome();
        PacedSteps.forEach(time, all, released -> release(released.claim()));
    }

    private void release(Claim claim) {
        try {
            store.release(claim);
        } catch (RuntimeException | Error failure) {
            Warnings.write(RecentReleases.class, "A release could not be repeated; others are", failure);
        }
    }

    private record Released(Claim claim, long leaseEnds) implements Comparable<Released> {

        @Override
        public int compareTo(Released other) {
            return Long.signum(leaseEnds - other.leaseEnds);
        }
    }
}
