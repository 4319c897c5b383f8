package io.distributedlock.simulation;

import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A program that runs seeds from 1 on, on one thread, and prints the first one that breaks a promise. */
public final class SeedSearch {

    /** The exit code if a promise was broken. */
    public static final int FOUND = 3;

    private SeedSearch() {}

    /** @param arguments the last seed */
    public static void main(String[] arguments) {
        Logger.getLogger("").setLevel(Level.OFF);
        new Seeds();
        long begin = System.nanoTime();
        long cycles = 0;
        for (long seed = 1; seed <= Long.parseLong(arguments[0]); seed++) {
            Outcome outcome = Seeds.outcome(Plan.drawn(seed));
            cycles += outcome.cycles();
            if (!outcome.broken().isEmpty()) {
                double seconds = (System.nanoTime() - begin) / 1e9;
                System.out.printf(Locale.ROOT, "simulator seed %d (%,d cycles) %.1f s%n", seed, cycles, seconds);
                System.out.println(outcome.broken().get(0));
                System.exit(FOUND);
            }
        }
        System.exit(0);
    }
}
