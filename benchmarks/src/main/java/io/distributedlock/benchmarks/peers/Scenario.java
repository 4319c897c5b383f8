package io.distributedlock.benchmarks.peers;

/** One way of using locks that is measured with several peers. */
interface Scenario {

    /** The word on the command line. */
    String id();

    /** What happens there, in the title of the table. */
    String title();

    /** What the columns are, and what is promised. */
    Layout layout();

    Comparison run(Setting setting);
}
