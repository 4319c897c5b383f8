package io.distributedlock.benchmarks;

import java.io.PrintStream;

/** One thing that can be run by its name. */
public interface Program {

    /** The word on the command line. */
    String name();

    /** One line for the list of programs: what it shows, and how long it takes. */
    String purpose();

    /** @param progress where to say what is going on */
    Report run(PrintStream progress);
}
