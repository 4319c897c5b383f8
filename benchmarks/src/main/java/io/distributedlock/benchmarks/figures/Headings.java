package io.distributedlock.benchmarks.figures;

/** The figures that several scenarios have in common, as their columns are called. */
public final class Headings {

    public static final String CYCLES = "cycles/s";
    public static final String HAND_OVERS = "hand-overs/s";
    public static final String FAIRNESS = "fairness min/max";
    public static final String PROCESS_SHARE = "process share min/max";
    public static final String P50_US = "p50 us";
    public static final String P99_US = "p99 us";
    public static final String WAIT_P50 = "wait p50 ms";
    public static final String WAIT_P99 = "wait p99 ms";
    public static final String WAIT_MAX = "wait max ms";
    /** Microseconds for each cycle or hand-over. */
    public static final String CLIENT_CPU = "client CPU us";

    public static final String SERVER_CPU = "server CPU us";
    /** Microseconds inside commands on the server for each cycle or hand-over, without reading and answering them. */
    public static final String EXECUTING = "executing us";
    /** Bytes that the client allocates for each cycle. */
    public static final String ALLOCATED = "allocated B";
    /** Redis commands for each hand-over, those inside scripts included. */
    public static final String COMMANDS = "Redis commands";

    private Headings() {}
}
