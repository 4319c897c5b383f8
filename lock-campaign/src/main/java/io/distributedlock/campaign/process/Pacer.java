package io.distributedlock.campaign.process;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Lets time pass between faults and their end, until the run is to end: from then on nothing waits any more. */
public final class Pacer {

    private static final Duration STEP = Duration.ofMillis(2);

    private final CountDownLatch end = new CountDownLatch(1);

    /** Waits; false if the run is to end. */
    public boolean pause(Duration time) {
        try {
            return !end.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in the middle of a fault", interrupted);
        }
    }

    /** Waits for a time between these two; false if the run is to end. */
    public boolean pause(Random random, Duration shortest, Duration longest) {
        return pause(between(random, shortest, longest));
    }

    public static Duration between(Random random, Duration shortest, Duration longest) {
        long room = longest.minus(shortest).toNanos();
        return shortest.plusNanos((long) (random.nextDouble() * room));
    }

    /** Waits for the condition, whether the run is to end or not; false if it does not come true in time. */
    public static boolean await(Duration limit, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > limit.toNanos()) {
                return false;
            }
            LockSupport.parkNanos(STEP.toNanos());
        }
        return true;
    }

    public boolean isOver() {
        return end.getCount() == 0;
    }

    public void end() {
        end.countDown();
    }
}
