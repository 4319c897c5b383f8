package io.distributedlock.testkit.process;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition outside this JVM, which can only be asked again and again. */
public final class Polling {
    private static final Duration STEP = Duration.ofMillis(2);

    private Polling() {}

    /**
     * Returns when the condition holds.
     *
     * @throws IllegalStateException if it does not hold within the limit, or if the thread is interrupted
     */
    public static void until(Duration limit, String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > limit.toNanos()) {
                throw new IllegalStateException("waited " + limit.toMillis() + " ms in vain for " + what);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting for " + what);
            }
            LockSupport.parkNanos(STEP.toNanos());
        }
    }
}
