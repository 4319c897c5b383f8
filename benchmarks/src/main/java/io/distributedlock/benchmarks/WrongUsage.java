package io.distributedlock.benchmarks;

import java.util.List;

/** The command line can't be understood; the message says what is wrong with it. */
public final class WrongUsage extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public WrongUsage(String message) {
        super(message);
    }

    /** For programs without options. */
    public static void unlessEmpty(List<String> options) {
        if (!options.isEmpty()) {
            throw new WrongUsage("this program has no option " + options.get(0));
        }
    }
}
