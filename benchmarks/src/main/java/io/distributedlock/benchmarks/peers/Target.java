package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.figures.Digits;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a figure has to be.
 *
 * @param bound for the figure itself, or for its ratio to the reference if there is one
 */
record Target(FigureKey place, Direction direction, double bound, Optional<FigureKey> reference) {

    /** On which side of the bound the figure has to be. */
    enum Direction {
        AT_LEAST("at least"),
        AT_MOST("at most");

        private final String words;

        Direction(String words) {
            this.words = words;
        }
    }

    static Target atLeast(double factor, FigureKey place, FigureKey reference) {
        return new Target(place, Direction.AT_LEAST, factor, Optional.of(reference));
    }

    static Target atMost(double factor, FigureKey place, FigureKey reference) {
        return new Target(place, Direction.AT_MOST, factor, Optional.of(reference));
    }

    static Target atLeast(double bound, FigureKey place) {
        return new Target(place, Direction.AT_LEAST, bound, Optional.empty());
    }

    static Target atMost(double bound, FigureKey place) {
        return new Target(place, Direction.AT_MOST, bound, Optional.empty());
    }

    /** Holds it against what was measured; empty if the figure or its reference was not. */
    Optional<TargetResult> judge(Comparison comparison) {
        OptionalDouble figure = comparison.at(place);
        OptionalDouble unit = reference.map(comparison::at).orElse(OptionalDouble.of(1));
        if (figure.isEmpty() || unit.isEmpty() || unit.getAsDouble() == 0) {
            return Optional.empty();
        }
        double seen = figure.getAsDouble() / unit.getAsDouble();
        return Optional.of(new TargetResult(this, seen, direction == Direction.AT_LEAST ? seen / bound : bound / seen));
    }

    String text() {
        String of = reference.map(this::against).orElse("");
        return place.kase() + ", " + place.peer() + ": " + place.heading() + " " + direction.words + " "
                + Digits.of(bound) + of;
    }

    private String against(FigureKey other) {
        String who = other.peer().equals(place.peer()) ? "" : " " + other.peer();
        String where = other.kase().equals(place.kase()) ? "" : " with " + other.kase();
        return " x" + who + where;
    }
}
