package io.distributedlock.internal.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Notices that the machine was suspended: the wall clock has gone on, and the monotonic clock has stood still. Leases
 * on the store have run on meanwhile. A wall clock that was set forward looks the same, so this is a reason to ask the
 * store, never to give a lock up.
 */
public final class SuspendDetector {

    private static final Duration NOTICEABLE = Duration.ofSeconds(1);
    /** Clocks that are corrected little by little are followed. */
    private static final Duration NEGLIGIBLE = Duration.ofMillis(100);
    /** Commands are on their way for seconds, and a machine is not suspended as often as this in a while. */
    private static final int MAX_KEPT = 16;

    private static final AtomicReferenceFieldUpdater<SuspendDetector, Known> KNOWN =
            AtomicReferenceFieldUpdater.newUpdater(SuspendDetector.class, Known.class, "known");

    private final Scheduler time;
    private final Runnable noticed;
    private volatile Known known;

    /**
     * @param noticedAt on the monotonic clock
     * @param totalBefore for how long the machine had been suspended until then
     */
    private record Suspension(long noticedAt, long totalBefore) {}

    /**
     * @param offset of the wall clock from the monotonic clock
     * @param total how long the machine was suspended so far
     * @param latest suspensions, the oldest first
     */
    private record Known(long offset, long total, List<Suspension> latest) {

        Known moved(long offset, long now) {
            long by = offset - this.offset;
            return by > NOTICEABLE.toNanos()
                    ? new Known(offset, total + by, with(new Suspension(now, total)))
                    : new Known(offset, total, latest);
        }

        /**
         * The two oldest of too many count as one that was noticed late, so that what was sent between them is in
         * doubt.
         */
        private List<Suspension> with(Suspension next) {
            List<Suspension> all = new ArrayList<>(latest);
            all.add(next);
            if (all.size() > MAX_KEPT) {
                Suspension oldest = all.remove(0);
                all.set(0, new Suspension(all.get(0).noticedAt(), oldest.totalBefore()));
            }
            return List.copyOf(all);
        }
    }

    /** @param noticed runs each time a suspension was noticed, on the thread that looked */
    public SuspendDetector(Scheduler time, Runnable noticed) {
        this.time = time;
        this.noticed = noticed;
        this.known = new Known(offset(), 0, List.of());
    }

    /**
     * Compares the clocks. Returns for how long the machine was suspended in all, as far as that is known, in
     * nanoseconds.
     */
    public long look() {
        Known before = known;
        if (hasMoved(before, offset())) {
            // A thread that was held up between its two looks saw clocks apart that are not, so it looks again.
            long offset = Math.min(offset(), offset());
            Known after = before.moved(offset, time.now());
            if (hasMoved(before, offset)
                    && KNOWN.compareAndSet(this, before, after)
                    && after.total() > before.total()) {
                noticed.run();
            }
        }
        return known.total();
    }

    private long offset() {
        return time.wallClock() - time.now();
    }

    private static boolean hasMoved(Known before, long offset) {
        return Math.abs(offset - before.offset()) > NEGLIGIBLE.toNanos();
    }

    /** For how long the machine had been suspended when a command was sent at {@code instant}; never too much. */
    public long before(long instant) {
        Known now = known;
        for (Suspension each : now.latest()) {
            if (instant - each.noticedAt() < 0) {
                return each.totalBefore();
            }
        }
        return now.total();
    }

    /** For how long the machine has been suspended since {@code instant}, as far as the clocks can tell. */
    public long since(long instant) {
        return look() - before(instant);
    }
}
