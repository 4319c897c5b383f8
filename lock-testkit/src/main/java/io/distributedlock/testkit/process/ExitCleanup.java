package io.distributedlock.testkit.process;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What has to be undone when the JVM exits before a test could: processes to kill, folders to delete. */
public final class ExitCleanup {
    private static final Set<Runnable> CLEAN_UPS = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(ExitCleanup::cleanUp, "testkit-leftovers"));
    }

    private ExitCleanup() {}

    public static void add(Runnable cleanUp) {
        CLEAN_UPS.add(cleanUp);
    }

    public static void remove(Runnable cleanUp) {
        CLEAN_UPS.remove(cleanUp);
    }

    private static void cleanUp() {
        for (Runnable cleanUp : CLEAN_UPS) {
            try {
                cleanUp.run();
            } catch (RuntimeException e) {
                System.getLogger(ExitCleanup.class.getName())
                        .log(System.Logger.Level.WARNING, "a clean-up at JVM exit failed", e);
            }
        }
    }
}
