package io.distributedlock.testkit.process;

import java.util.concurrent.TimeUnit;

/** Ends processes for good. */
public final class Processes {
    private static final long LIMIT_SECONDS = 10;

    private Processes() {}

    /** Sends SIGKILL, which a stopped process obeys as well, and returns when the process is gone. */
    public static void kill(Process process) {
        process.destroyForcibly();
        boolean interrupted = Thread.interrupted();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "process " + process.pid() + " is still there " + LIMIT_SECONDS + " s after SIGKILL");
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
