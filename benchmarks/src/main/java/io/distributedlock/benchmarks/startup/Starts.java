package io.distributedlock.benchmarks.startup;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The starts of one application, with locks and without, in rounds of one each. */
record Starts(List<Start> with, List<Start> without) {

    static Starts none() {
        return new Starts(new ArrayList<>(), new ArrayList<>());
    }

    /** How many milliseconds more locks cost: the two starts of a round find the machine in about the same state, the rounds do not. */
    long more() {
        return quantile(
                0.5,
                IntStream.range(0, with.size())
                        .mapToLong(round ->
                                with.get(round).wall() - without.get(round).wall()));
    }

    /** The same by those that were disturbed least. */
    long moreOfQuick() {
        return quantile(0.25, with.stream().mapToLong(Start::wall))
                - quantile(0.25, without.stream().mapToLong(Start::wall));
    }

    static long median(List<Start> starts, ToLongFunction<Start> figure) {
        return quantile(0.5, starts.stream().mapToLong(figure));
    }

    private static long quantile(double part, LongStream figures) {
        long[] sorted = figures.sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[(int) ((sorted.length - 1) * part)];
    }
}
