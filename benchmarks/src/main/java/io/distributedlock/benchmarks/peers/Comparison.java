package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.figures.Spread;
import java.util.List;
import java.util.OptionalDouble;

/** What a scenario gave, in the order to print it. */
record Comparison(List<Line> lines) {

    /** The median at this place; empty if it was not measured. */
    OptionalDouble at(Place place) {
        return lines.stream()
                .filter(line ->
                        line.kase().equals(place.kase()) && line.peer().name().equals(place.peer()))
                .flatMap(line -> line.series().spread(place.heading()).stream())
                .mapToDouble(Spread::median)
                .findFirst();
    }
}
