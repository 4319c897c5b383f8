package io.distributedlock.internal.time;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Many timers that need not be exact: a ring of slots, one for each turn of 10 ms, and a timer lies in the slot of the turn in which it is due.
 * Setting and cancelling one costs the same however many there are; none runs early, and one runs late by a turn at most, unless its thread is
 * busy.
 *
 * <p>Nothing turns while nothing is due: the wheel has itself woken at the next slot that is not empty.
 */
final class TimerWheel {

    static final Duration TURN = Duration.ofMillis(10);

    private static final int SLOTS = 512;
    private static final long NEVER = Long.MAX_VALUE;
    private static final long LONGEST = Long.MAX_VALUE / 4;

    /** Wakes the wheel. All of its rings have to run one after the other. */
    @FunctionalInterface
    interface Alarm {
        void set(Duration delay, Runnable ring);
    }

    private final WheelBucket[] slots = new WheelBucket[SLOTS];
    private final AtomicLong nextRing = new AtomicLong(NEVER);
    private final LongSupplier clock;
    private final Alarm alarm;
    private final Executor runner;
    private final long start;
    private volatile long turn;

    /** @param runner runs the tasks that are due; it must not throw */
    TimerWheel(LongSupplier clock, Alarm alarm, Executor runner) {
        this.clock = clock;
        this.alarm = alarm;
        this.runner = runner;
        this.start = clock.getAsLong();
        Arrays.setAll(slots, place -> new WheelBucket());
    }

    /**
     * Runs {@code task} once, not before {@code delay} has passed.
     *
     * <p>The timer is in its slot before the turn is looked at, and a turn is made known before its slot is looked at; so either side sees the
     * other, and a timer that came too late for its slot is run at once.
     */
    Scheduler.Timer after(Duration delay, Runnable task) {
        return after(delay, task, Scheduler.Timer.NONE);
    }

    /** @param used a timer that nobody else uses; it is set again if it has run, so that long series of timers leave no garbage */
    Scheduler.Timer after(Duration delay, Runnable task, Scheduler.Timer used) {
        long due = Math.floorDiv(elapsed() + Math.min(delay.toNanos(), LONGEST) - 1, TURN.toNanos()) + 1;
        WheelTimeout timer = set(used, task, due);
        put(timer);
        if (turn >= due) {
            alarm.set(Duration.ZERO, () -> run(timer.take()));
        } else {
            ringAt(due);
        }
        return timer;
    }

    private static WheelTimeout set(Scheduler.Timer used, Runnable task, long due) {
        if (used instanceof WheelTimeout old && old.set(task, due)) {
            return old;
        }
        WheelTimeout fresh = new WheelTimeout();
        fresh.set(task, due);
        return fresh;
    }

    private void run(@Nullable Runnable task) {
        if (task != null) {
            runner.execute(task);
        }
    }

    private long elapsed() {
        return clock.getAsLong() - start;
    }

    private static int slotOf(long turn) {
        return Math.floorMod(turn, SLOTS);
    }

    private void put(WheelTimeout timer) {
        slots[slotOf(timer.due())].add(timer);
    }

    /** Sees to it that the wheel is woken at this turn at the latest. */
    private void ringAt(long wanted) {
        long planned = nextRing.get();
        while (wanted < planned) {
            if (nextRing.compareAndSet(planned, wanted)) {
                Duration delay = Duration.ofNanos(Math.max(0, wanted * TURN.toNanos() - elapsed()));
                alarm.set(delay, () -> ring(wanted));
                return;
            }
            planned = nextRing.get();
        }
    }

    /** A ring that was overtaken by an earlier one does nothing, so that there is never more than one chain of rings. */
    private void ring(long at) {
        if (nextRing.compareAndSet(at, NEVER)) {
            long last = turn;
            long now = Math.max(last, Math.floorDiv(elapsed(), TURN.toNanos()));
            turn = now;
            for (long each = Math.max(last, now - SLOTS) + 1; each <= now; each++) {
                runDue(slotOf(each), now);
            }
            ringAtNextSlot(now);
        }
    }

    /** The task is taken before the timer is given free, because whoever sets it again gives it another one. */
    private void runDue(int slot, long now) {
        for (WheelTimeout timer : slots[slot].takeAll()) {
            if (timer == null) {
                return;
            } else if (timer.due() <= now) {
                Runnable task = timer.take();
                timer.leaveSlot();
                run(task);
            } else if (timer.isOver()) {
                timer.leaveSlot();
            } else {
                put(timer);
            }
        }
    }

    private void ringAtNextSlot(long now) {
        for (long each = now + 1; each <= now + SLOTS; each++) {
            if (!slots[slotOf(each)].isEmpty()) {
                ringAt(each);
                return;
            }
        }
    }
}
