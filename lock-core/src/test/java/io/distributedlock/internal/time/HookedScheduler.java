package io.distributedlock.internal.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** The time of a bench, but at one look at the clock something happens first: between two steps that nothing else separates. */
public record HookedScheduler(Scheduler time, AtomicReference<Runnable> hook) implements Scheduler {

    private static final Runnable NOTHING = () -> {};

    public HookedScheduler(Scheduler time) {
        this(time, new AtomicReference<>(NOTHING));
    }

    /** At the next look at the clock, once. */
    public void atNextLook(Runnable event) {
        atNextLook(() -> true, event);
    }

    /** At the first look at which {@code due} is true, once. */
    public void atNextLook(BooleanSupplier due, Runnable event) {
        hook.set(() -> {
            if (due.getAsBoolean()) {
                hook.set(NOTHING);
                event.run();
            }
        });
    }

    @Override
    public long now() {
        hook.get().run();
        return time.now();
    }

    @Override
    public long wallClock() {
        return time.wallClock();
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        return time.after(delay, task);
    }

    @Override
    public void close() {
        time.close();
    }
}
