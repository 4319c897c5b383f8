package io.distributedlock;

import java.time.Duration;

/** A timeline on which one timer cannot be set, or is lost. */
final class FailingTimeline implements Timeline {

    private enum Fault {
        NONE,
        FAILS,
        LOST
    }

    private final Timeline real;
    private Fault next = Fault.NONE;

    FailingTimeline(Timeline real) {
        this.real = real;
    }

    /** The next timer cannot be set. */
    void failNext() {
        next = Fault.FAILS;
    }

    /** The next timer is set and never runs. */
    void loseNext() {
        next = Fault.LOST;
    }

    @Override
    public long now() {
        return real.now();
    }

    @Override
    public long wallClock() {
        return real.wallClock();
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        Fault now = next;
        next = Fault.NONE;
        return switch (now) {
            case FAILS -> throw new InternalError("unable to create native thread");
            case LOST -> Timer.NONE;
            case NONE -> real.after(delay, task);
        };
    }

    @Override
    public void close() {
        real.close();
    }
}
