package io.distributedlock.internal.time;

import java.time.Duration;

/** A timeline on which each look at the clock takes time. */
public final class TickingScheduler implements Scheduler {

    private final ManualScheduler real;
    private Duration tick = Duration.ZERO;

    public TickingScheduler(ManualScheduler real) {
        this.real = real;
    }

    /** So much from now on. */
    public void tick(Duration each) {
        tick = each;
    }

    @Override
    public long now() {
        real.pause(tick);
        return real.now();
    }

    @Override
    public long wallClock() {
        return real.wallClock();
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        return real.after(delay, task);
    }

    @Override
    public void close() {
        real.close();
    }
}
