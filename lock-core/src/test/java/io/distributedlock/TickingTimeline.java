package io.distributedlock;

import java.time.Duration;

/** A timeline on which each look at the clock takes time. */
final class TickingTimeline implements Timeline {

    private final ManualTimeline real;
    private Duration tick = Duration.ZERO;

    TickingTimeline(ManualTimeline real) {
        this.real = real;
    }

    /** So much from now on. */
    void tick(Duration each) {
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
