package io.distributedlock.benchmarks.startup;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * How much longer starts take with locks, in milliseconds. The two starts of a round run at the same time: what a
 * machine that others share does to one of them, it does to the other, so only the difference tells something. Each has
 * its half of the processors, and what one has to do more, it does when the other has come to its end; so the
 * difference is that of starts that have the machine for themselves.
 *
 * @param mean of the rounds' differences
 * @param error its standard error; not a number for fewer than two rounds
 */
record Cost(double mean, double error) {

    static Cost of(Starts starts) {
        long[] differences = starts.differences().toArray();
        double mean = LongStream.of(differences).average().orElse(Double.NaN);
        double squares = Arrays.stream(differences)
                .mapToDouble(each -> (each - mean) * (each - mean))
                .sum();
        int rounds = differences.length;
        return new Cost(mean, rounds < 2 ? Double.NaN : Math.sqrt(squares / (rounds - 1) / rounds));
    }
}
