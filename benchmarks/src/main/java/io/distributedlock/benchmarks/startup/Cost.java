package io.distributedlock.benchmarks.startup;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * How much longer starts take with locks, in milliseconds. The pace of a machine that others share changes from one start to the next by more than that.
 * What a start needs before any bean is made shows its pace and has nothing to do with locks, so what goes along with it is taken out (analysis of
 * covariance, one slope for both groups).
 *
 * @param mean the difference between the means at an equal pace
 * @param error its standard error; not a number for fewer than two rounds
 */
record Cost(double mean, double error) {

    static Cost of(Starts starts) {
        Group with = Group.of(starts.with());
        Group without = Group.of(starts.without());
        double squares = with.paceSquares() + without.paceSquares();
        double products = with.products() + without.products();
        double slope = squares == 0 ? 0 : products / squares;
        double pace = with.pace() - without.pace();
        int free = with.size() + without.size() - 3;
        double rest = (with.wallSquares() + without.wallSquares() - slope * products) / free;
        double weights = 1.0 / with.size() + 1.0 / without.size() + (squares == 0 ? 0 : pace * pace / squares);
        return new Cost(
                with.wall() - without.wall() - slope * pace,
                free > 0 ? Math.sqrt(Math.max(0, rest) * weights) : Double.NaN);
    }

    /** Means, and sums of squares and products around them. */
    private record Group(int size, double wall, double pace, double wallSquares, double paceSquares, double products) {

        static Group of(List<Start> starts) {
            double wall = mean(starts, Start::wall);
            double pace = mean(starts, Start::before);
            double wallSquares = 0;
            double paceSquares = 0;
            double products = 0;
            for (Start start : starts) {
                wallSquares += (start.wall() - wall) * (start.wall() - wall);
                paceSquares += (start.before() - pace) * (start.before() - pace);
                products += (start.wall() - wall) * (start.before() - pace);
            }
            return new Group(starts.size(), wall, pace, wallSquares, paceSquares, products);
        }

        private static double mean(List<Start> starts, ToLongFunction<Start> figure) {
            return starts.stream().mapToLong(figure).average().orElse(Double.NaN);
        }
    }
}
