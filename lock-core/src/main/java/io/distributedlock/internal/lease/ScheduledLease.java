package io.distributedlock.internal.lease;

import io.distributedlock.internal.time.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One of many in a {@link LeaseRegistry}: it knows its place there, which nothing else may change, and when it is
 * looked at next.
 */
public abstract class ScheduledLease {

    static final int NOWHERE = -1;

    private int place = NOWHERE;
    private volatile Scheduler.Timer timer = Scheduler.Timer.NONE;
    private volatile long dueAt;

    /** @param dueAt until when no look at it has to be planned */
    ScheduledLease(long dueAt) {
        this.dueAt = dueAt;
    }

    int place() {
        return place;
    }

    void moveTo(int newPlace) {
        place = newPlace;
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

    private void leave(Scheduler.Timer planned) {
        planned.cancel();
        if (planned instanceof SharedDeadline group) {
            leaves(group);
        }
    }

    /** Takes along what it has as part of this group. */
    abstract void leaves(SharedDeadline group);

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
