package io.distributedlock.internal.time;

import java.time.Duration;

/** A timeline on which one timer cannot be set, or is lost. */
public final class FailingScheduler implements Scheduler {

    private enum Fault {
        NONE,
        FAILS,
        LOST
    }

    private final Scheduler real;
    private Fault next = Fault.NONE;

    public FailingScheduler(Scheduler real) {
        this.real = real;
    }

    /** The next timer cannot be set. */
    public void failNext() {
        next = Fault.FAILS;
    }

    /** The next timer is set and never runs. */
    public void loseNext() {
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
