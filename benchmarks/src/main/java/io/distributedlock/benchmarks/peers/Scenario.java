package io.distributedlock.benchmarks.peers;

import java.time.Duration;

/** One way of using locks that is measured with several peers. */
interface Scenario {

    /** The word on the command line. */
    String id();

    /** What happens there, in the title of the table. */
    String title();

    /** What the columns are, and what is promised. */
    TableLayout layout();

    /** After this time the short form begins no further round; all scenarios together have less than three minutes. */
    Duration shortLimit();

    Comparison run(RunOptions setting);
}
