package io.distributedlock;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The timers of one slot of a {@link TimerWheel}. They lie in an array that is given away as a whole: timers live as long as locks are held, and
 * links between such old objects would be work for the garbage collector with each renewal.
 */
final class WheelSlot {

    private static final int SMALLEST = 4;
    private static final @Nullable WheelTimer[] NONE = {};

    private @Nullable WheelTimer[] timers = NONE;
    private int size;

    synchronized void add(WheelTimer timer) {
        if (size == timers.length) {
            timers = Arrays.copyOf(timers, Math.max(SMALLEST, size * 2));
        }
        timers[size++] = timer;
    }

    /** Empties it. Gives what was in it, with nothing at the end perhaps. */
    synchronized @Nullable WheelTimer[] takeAll() {
        WheelTimer[] all = timers;
        timers = NONE;
        size = 0;
        return all;
    }

    synchronized boolean isEmpty() {
        return size == 0;
    }
}
