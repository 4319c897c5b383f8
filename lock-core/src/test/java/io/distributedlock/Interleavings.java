package io.distributedlock;

import java.util.concurrent.CountDownLatch;
import org.jetbrains.lincheck.Lincheck;

/**
 * The orders in which threads may take their steps, which a model checker (Lincheck) brings about one by one: it
 * switches between threads at accesses of memory that they share. A failure shows the steps of each thread.
 *
 * <p>Its tests are tagged {@code long}: it gives each order 30 s, which can't be set, and a machine that is busy with a
 * whole build may need longer for the first one, because all classes that are used are rewritten then.
 */
public final class Interleavings {

    private static final int ORDERS = Integer.getInteger("interleavings", 300);

    private Interleavings() {}

    /**
     * Runs a scenario once as it is, so that its classes are initialized, and then in 300 orders, each with objects
     * of its own. Fails if it throws in one of them, or if all
     * of its threads wait. The system property {@code interleavings} sets another number.
     */
    public static void explore(Runnable scenario) {
        scenario.run();
        Lincheck.runConcurrentTest(ORDERS, scenario);
    }

    /** Part of a scenario: runs these steps on a thread each, and returns when all have ended. */
    public static void together(Runnable... steps) {
        CountDownLatch running = new CountDownLatch(steps.length);
        for (Runnable each : steps) {
            new Thread(() -> {
                        each.run();
                        running.countDown();
                    })
                    .start();
        }
        try {
            running.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Part of a scenario: fails it. AssertJ would bring thousands of classes of its own into each order. */
    public static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("not so: " + what);
        }
    }
}
