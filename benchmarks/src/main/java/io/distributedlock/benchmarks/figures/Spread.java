package io.distributedlock.benchmarks.figures;

import java.util.Collection;

/** One figure over several rounds. */
public record Spread(double median, double min, double max) {

    /** @throws IllegalArgumentException if there is no value */
    public static Spread of(Collection<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalArgumentException("no rounds, so no median");
        }
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
}
