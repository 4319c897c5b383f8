package io.distributedlock.benchmarks.startup;

/**
 * One start, in milliseconds.
 *
 * @param wall from the first line of {@code main} on
 * @param cpu of all processors
 */
record Start(long wall, long cpu) {

    /** What a starting process prints. */
    static Start parse(String line) {
        String[] figures = line.split(" ");
        return new Start(Long.parseLong(figures[0]), Long.parseLong(figures[1]));
    }

    @Override
    public String toString() {
        return wall + " ms (CPU " + cpu + ")";
    }
}
