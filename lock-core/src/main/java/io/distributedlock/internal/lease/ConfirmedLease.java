package io.distributedlock.internal.lease;

import io.distributedlock.internal.time.Deadline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Something that the store keeps for a while: until when, as far as it has confirmed that to this, or to all of the
 * group that this is renewed with.
 */
public abstract class ConfirmedLease extends ScheduledLease {

    private static final AtomicReferenceFieldUpdater<ConfirmedLease, Deadline> DEADLINE =
            AtomicReferenceFieldUpdater.newUpdater(ConfirmedLease.class, Deadline.class, "deadline");
    private static final AtomicLongFieldUpdater<ConfirmedLease> LONGEST_TTL =
            AtomicLongFieldUpdater.newUpdater(ConfirmedLease.class, "longestTtlNanos");

    private volatile Deadline deadline;
    private volatile long longestTtlNanos;

    /** @param ttl the longest time that was asked for */
    ConfirmedLease(Deadline deadline, Duration ttl) {
        super(deadline.instant());
        this.deadline = deadline;
        this.longestTtlNanos = ttl.toNanos();
    }

    /** Until when it is kept at least. */
    public long safeUntil() {
        return deadline().instant();
    }

    Deadline deadline() {
        SharedDeadline together = group();
        return together == null ? deadline : deadline.or(together.deadline());
    }

    /** The store has confirmed that it keeps this until then at least. */
    void confirmed(Deadline confirmed) {
        DEADLINE.accumulateAndGet(this, confirmed, Deadline::or);
    }

    /** Whether its end has been seen, so that nothing is confirmed any more. */
    public boolean isExpired() {
        return deadline.isForGood();
    }

    @Override
    void leaves(SharedDeadline group) {
        confirmed(group.deadline());
    }

    /** The longest lease that the store was ever asked for. */
    public Duration longestTtl() {
        return Duration.ofNanos(longestTtlNanos);
    }

    /**
     * An extension is about to be sent: from now on the store may keep it for {@code ttl}, whatever becomes of the
     * reply.
     */
    public void extending(Duration ttl) {
        LONGEST_TTL.accumulateAndGet(this, ttl.toNanos(), Math::max);
    }
}
