package io.distributedlock.benchmarks.startup;

import io.distributedlock.benchmarks.Program;
import io.distributedlock.benchmarks.WrongUsage;
import java.util.ArrayList;
import java.util.List;

/** What to start, and how often. */
record StartUpOptions(int rounds, List<Subject> subjects) {

    static final String ROUNDS = "--rounds";
    static final String SAMPLE_ONLY = "--sample";

    private static final int USUAL = 25;
    private static final int FEW = 2;

    /** @throws WrongUsage if there is another option, or no number where there has to be one */
    static StartUpOptions of(List<String> written) {
        List<String> options = new ArrayList<>(written);
        List<Subject> subjects = options.remove(SAMPLE_ONLY) ? List.of(Subject.SAMPLE) : List.of(Subject.values());
        int at = options.indexOf(ROUNDS);
        int rounds = USUAL;
        if (at >= 0) {
            options.remove(at);
            rounds = number(at < options.size() ? options.remove(at) : "");
        }
        return new StartUpOptions(Program.isShort(options) ? FEW : rounds, subjects);
    }

    private static int number(String text) {
        if (!text.matches("[1-9]\\d{0,3}")) {
            throw new WrongUsage(ROUNDS + " needs a number from 1 to 9999, but has '" + text + "'");
        }
        return Integer.parseInt(text);
    }
}
