package io.distributedlock.testkit;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What has to be undone when the JVM exits before a test could: processes to kill, folders to delete. */
final class Leftovers {
    private static final Set<Runnable> CLEAN_UPS = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Leftovers::cleanUp, "testkit-leftovers"));
    }

    private Leftovers() {}

    static void add(Runnable cleanUp) {
        CLEAN_UPS.add(cleanUp);
    }

    static void remove(Runnable cleanUp) {
        CLEAN_UPS.remove(cleanUp);
    }

    private static void cleanUp() {
        for (Runnable cleanUp : CLEAN_UPS) {
            try {
                cleanUp.run();
            } catch (RuntimeException e) {
                System.getLogger(Leftovers.class.getName())
                        .log(System.Logger.Level.WARNING, "a clean-up at JVM exit failed", e);
            }
        }
    }
}
