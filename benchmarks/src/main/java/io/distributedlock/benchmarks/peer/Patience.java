package io.distributedlock.benchmarks.peer;

/** Waiting calls of other libraries; nothing here interrupts them. */
final class Patience {

    interface Wait {
        boolean granted() throws InterruptedException;
    }

    private Patience() {}

    static boolean granted(Wait wait) {
        try {
            return wait.granted();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a lock", interrupt);
        }
    }
}
