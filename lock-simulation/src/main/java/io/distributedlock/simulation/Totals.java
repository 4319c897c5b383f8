package io.distributedlock.simulation;

import java.util.Arrays;

/**
 * What runs have shown together.
 *
 * @param cycles locks that were granted
 * @param violations runs that broke a promise, or whose history was rejected
 * @param histories those that were compared with the definition of a lock
 */
record Totals(long seeds, long cycles, long faults, long violations, long scripts, long histories, long rejected) {

    static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0, 0);

    private static final String WORD = "totals";

    static Totals of(Outcome outcome) {
        return new Totals(
                1,
                outcome.cycles(),
                outcome.faults(),
                outcome.broken().isEmpty() ? 0 : 1,
                outcome.scripts(),
                outcome.conformance().histories(),
                outcome.conformance().rejected());
    }

    Totals and(Totals others) {
        return new Totals(
                seeds + others.seeds,
                cycles + others.cycles,
                faults + others.faults,
                violations + others.violations,
                scripts + others.scripts,
                histories + others.histories,
                rejected + others.rejected);
    }

    /** For another process, which {@linkplain #parse parses} it. */
    String line() {
        return String.join(
                " ",
                WORD,
                Arrays.toString(new long[] {seeds, cycles, faults, violations, scripts, histories, rejected})
                        .replaceAll("[^0-9 ]", ""));
    }

    static boolean isLine(String line) {
        return line.startsWith(WORD);
    }

    static Totals parse(String line) {
        long[] all = Arrays.stream(line.split(" "))
                .skip(1)
                .mapToLong(Long::parseLong)
                .toArray();
        int next = 0;
        return new Totals(all[next++], all[next++], all[next++], all[next++], all[next++], all[next++], all[next]);
    }

    @Override
    public String toString() {
        return "simulation: seeds: " + seeds + " cycles: " + cycles + " faults: " + faults + " violations: "
                + violations + " scripts: " + scripts + "\nconformance: histories: " + histories + " rejected: "
                + rejected;
    }
}
