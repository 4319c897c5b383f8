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

    /** How many milliseconds more the start with locks took, round by round. */
    LongStream differences() {
        return IntStream.range(0, with.size())
                .mapToLong(round -> with.get(round).wall() - without.get(round).wall());
    }

    static long median(List<Start> starts, ToLongFunction<Start> figure) {
        return median(starts.stream().mapToLong(figure));
    }

    static long median(LongStream figures) {
        long[] sorted = figures.sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) / 2];
    }
}
