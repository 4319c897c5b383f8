package io.distributedlock;

import java.time.Duration;

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
        timer.cancel();
        dueAt = instant;
        Timeline.Timer next = time.again(timer, Duration.ofNanos(instant - time.now()), look);
        if (next != timer) {
            timer = next;
        }
    }

    /** Plans the next look at it, instead of the one that was planned: with the others of this group. */
    void lookedAtBy(RenewalGroup group, long instant) {
        dueAt = instant;
        Timeline.Timer planned = timer;
        if (planned != group) {
            planned.cancel();
            timer = group;
        }
    }

    /** Whether nobody has planned another look at it since. */
    boolean isLookedAtBy(RenewalGroup group) {
        return timer == group;
    }

    void cancelLook() {
        timer.cancel();
    }

    /** When the look at it is due that was planned. */
    long dueAt() {
        return dueAt;
    }
}
