package io.distributedlock;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Notices that the machine was suspended: the wall clock has gone on, and the monotonic clock has stood still. Leases on the store have run on
 * meanwhile. A wall clock that was set forward looks the same, so this is a reason to ask the store, never to give a lock up.
 */
final class Suspensions {

    private static final Duration NOTICEABLE = Duration.ofSeconds(1);
    /** Clocks that are corrected little by little are followed. */
    private static final Duration NEGLIGIBLE = Duration.ofMillis(100);

    private static final AtomicReferenceFieldUpdater<Suspensions, Known> KNOWN =
            AtomicReferenceFieldUpdater.newUpdater(Suspensions.class, Known.class, "known");

    private final Timeline time;
    private final Runnable noticed;
    private volatile Known known;

    /**
     * @param offset of the wall clock from the monotonic clock
     * @param total how long the machine was suspended so far
     * @param noticedAt when the last suspension was noticed, on the monotonic clock
     * @param last how long that one took
     */
    private record Known(long offset, long total, long noticedAt, long last) {

        Known moved(long offset, long now) {
            long by = offset - this.offset;
            return by > NOTICEABLE.toNanos()
                    ? new Known(offset, total + by, now, by)
                    : new Known(offset, total, noticedAt, last);
        }
    }

    /** @param noticed runs each time a suspension was noticed, on the thread that looked */
    Suspensions(Timeline time, Runnable noticed) {
        this.time = time;
        this.noticed = noticed;
        this.known = new Known(time.wallClock() - time.now(), 0, time.now(), 0);
    }

    /** Compares the clocks. Gives for how long the machine was suspended in all, as far as that is known, in nanoseconds. */
    long look() {
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
    long before(long instant) {
        Known now = known;
        return instant - now.noticedAt() >= 0 ? now.total() : now.total() - now.last();
    }
}
