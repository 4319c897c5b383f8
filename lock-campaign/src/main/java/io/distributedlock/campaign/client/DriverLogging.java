package io.distributedlock.campaign.client;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps the driver from telling of each of thousands of broken connections. */
final class DriverLogging {

    /** Held here, because a logger without references forgets its level. */
    private static final Logger LETTUCE = Logger.getLogger("io.lettuce");

    private DriverLogging() {}

    static void ensure() {
        LETTUCE.setLevel(Level.OFF);
    }
}
