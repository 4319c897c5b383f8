package io.distributedlock.internal.event;

import io.distributedlock.internal.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** The largest of the values that were recorded in the last one to two minutes. */
final class RecentMaximum {

    private static final long PERIOD_NANOS = Duration.ofMinutes(1).toNanos();

    private static final AtomicReferenceFieldUpdater<RecentMaximum, Minutes> MINUTES =
            AtomicReferenceFieldUpdater.newUpdater(RecentMaximum.class, Minutes.class, "minutes");

    private final Scheduler time;
    private volatile Minutes minutes;

    RecentMaximum(Scheduler time) {
        this.time = time;
        this.minutes = new Minutes(time.now(), 0, 0);
    }

    void record(Duration value) {
        long nanos = value.toNanos();
        Minutes present = minutes;
        if (nanos > present.current() || time.now() - present.begin() >= PERIOD_NANOS) {
            MINUTES.updateAndGet(this, last -> last.at(time.now()).with(nanos));
        }
    }

    Duration get() {
        Minutes now = minutes.at(time.now());
        return Duration.ofNanos(Math.max(now.current(), now.previous()));
    }

    /** The maxima of the minute that began at {@code begin} and of the one before. */
    private record Minutes(long begin, long current, long previous) {

        Minutes at(long now) {
            long passed = (now - begin) / PERIOD_NANOS;
            if (passed < 1) {
                return this;
            }
            return new Minutes(begin + passed * PERIOD_NANOS, 0, passed == 1 ? current : 0);
        }

        Minutes with(long value) {
            return new Minutes(begin, Math.max(current, value), previous);
        }
    }
}
