package io.distributedlock.benchmarks;

import java.io.PrintStream;
import java.util.List;

/** One thing that can be run by its name. */
public interface Program {

    /** The option of many programs for a shorter run. */
    String SHORT = "--short";

    /**
     * Whether the options ask for the short form.
     *
     * @throws WrongUsage if they ask for anything else
     */
    static boolean isShort(List<String> options) {
        WrongUsage.unlessEmpty(
                options.stream().filter(option -> !option.equals(SHORT)).toList());
        return options.contains(SHORT);
    }

    /** The word on the command line. */
    String name();

    /** One line for the list of programs: what it shows, and how long it takes. */
    String purpose();

    /**
     * Runs the program.
     *
     * @param options what the command line says behind the name, without the options that every program has
     * @param progress where to say what is going on
     * @throws WrongUsage if there is an option that this program doesn't have
     */
    Report run(List<String> options, PrintStream progress);
}
