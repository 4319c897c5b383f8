package io.distributedlock.internal.lease;

import io.distributedlock.internal.time.Deadline;
import io.distributedlock.internal.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Something that the store keeps for a while: until when, as far as it has confirmed that to this, or to all of the
 * group that this is renewed with; and when it is looked at next. It knows its place in the {@link LeaseRegistry},
 * which nothing else may change.
 */
public abstract class ConfirmedLease {

    static final int NOWHERE = -1;

    private static final AtomicReferenceFieldUpdater<ConfirmedLease, Deadline> DEADLINE =
            AtomicReferenceFieldUpdater.newUpdater(ConfirmedLease.class, Deadline.class, "deadline");
    private static final AtomicLongFieldUpdater<ConfirmedLease> LONGEST_TTL =
            AtomicLongFieldUpdater.newUpdater(ConfirmedLease.class, "longestTtlNanos");

    private int place = NOWHERE;
    private volatile Deadline deadline;
    private volatile long longestTtlNanos;
    private volatile Scheduler.Timer timer = Scheduler.Timer.NONE;
    private volatile long dueAt;

    /**
     * @param deadline until then no look at it has to be planned
     * @param ttl the longest time that was asked for
     */
    ConfirmedLease(Deadline deadline, Duration ttl) {
        this.deadline = deadline;
        this.longestTtlNanos = ttl.toNanos();
        this.dueAt = deadline.instant();
    }

    int place() {
        return place;
    }

    void moveTo(int newPlace) {
        place = newPlace;
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

    /** Plans the next look at it, instead of the one that was planned. */
    void lookAt(Scheduler time, long instant, Runnable look) {
        leave(timer);
        dueAt = instant;
        timer = time.after(Duration.ofNanos(instant - time.now()), look);
    }

    /** Has it looked at with the others of this group, instead of the look that was planned. */
    public void lookedAtBy(SharedDeadline group) {
        Scheduler.Timer planned = timer;
        if (planned != group) {
            leave(planned);
            timer = group;
        }
    }

    /** Takes along what it has as part of a group. */
    private void leave(Scheduler.Timer planned) {
        planned.cancel();
        if (planned instanceof SharedDeadline group) {
            confirmed(group.deadline());
        }
    }

    /** With whom it is looked at; null if that is done alone. */
    @Nullable
    public SharedDeadline group() {
        return timer instanceof SharedDeadline group ? group : null;
    }

    void cancelLook() {
        timer.cancel();
    }

    /** When the look at it is due that was planned. */
    long dueAt() {
        SharedDeadline together = group();
        return together == null ? dueAt : together.dueAt();
    }
}
