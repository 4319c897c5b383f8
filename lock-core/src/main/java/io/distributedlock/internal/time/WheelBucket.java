package io.distributedlock.internal.time;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one slot of a {@link TimerWheel}. They lie in an array that is given away as a whole: timers live as long as locks are held, and
 * links between such old objects would be work for the garbage collector with each renewal.
 */
final class WheelBucket {

    private static final int SMALLEST = 4;
    private static final @Nullable WheelTimeout[] NONE = {};

    /** Guards what follows. */
    private final Object gate = new Object();

    private @Nullable WheelTimeout[] timers = NONE;
    private int size;

    void add(WheelTimeout timer) {
        synchronized (gate) {
            if (size == timers.length) {
                timers = Arrays.copyOf(timers, Math.max(SMALLEST, size * 2));
            }
            timers[size++] = timer;
        }
    }

    /** Empties it. Gives what was in it, with nothing at the end perhaps. */
    @Nullable
    WheelTimeout[] takeAll() {
        synchronized (gate) {
            WheelTimeout[] all = timers;
            timers = NONE;
            size = 0;
            return all;
        }
    }

    boolean isEmpty() {
        synchronized (gate) {
            return size == 0;
        }
    }
}
