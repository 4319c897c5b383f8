package com.example.shop;

import java.time.Duration;

/** Work that takes its time and does nothing. */
public final class SimulatedWork {

    private SimulatedWork() {}

    /**
     * Returns when the time is over.
     *
     * @throws IllegalStateException if the thread is interrupted meanwhile; its interrupt flag is set again
     */
    public static void take(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted after less than " + time.toMillis() + " ms of work", e);
        }
    }
}
