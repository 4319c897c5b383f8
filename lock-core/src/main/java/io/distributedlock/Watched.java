package io.distributedlock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One of many in a {@link Tenures}: it knows its place there, which nobody else may change, and when it is looked at next. */
abstract class Watched {

    static final int NOWHERE = -1;

    private int place = NOWHERE;
    private volatile Timeline.Timer timer = Timeline.Timer.NONE;
    private volatile long dueAt;

    /** @param dueAt until when nobody needs to have planned a look at it */
    Watched(long dueAt) {
        this.dueAt = dueAt;
    }

    int place() {
        return place;
    }

    void moveTo(int newPlace) {
        place = newPlace;
    }

    /** Plans the next look at it, instead of the one that was planned. */
    void lookAt(Timeline time, long instant, Runnable look) {
        leave(timer);
        dueAt = instant;
        Timeline.Timer next = time.again(timer, Duration.ofNanos(instant - time.now()), look);
        if (next != timer) {
            timer = next;
        }
    }

    /** Has it looked at with the others of this group, instead of the look that was planned. */
    void lookedAtBy(SharedDeadline group) {
        Timeline.Timer planned = timer;
        if (planned != group) {
            leave(planned);
            timer = group;
        }
    }

    private void leave(Timeline.Timer planned) {
        planned.cancel();
        if (planned instanceof SharedDeadline group) {
            leaves(group);
        }
    }

    /** Takes along what it has as part of this group. */
    abstract void leaves(SharedDeadline group);

    /** With whom it is looked at; null if that is done alone. */
    @Nullable
    SharedDeadline group() {
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
