package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.figures.Series;
import io.distributedlock.benchmarks.figures.Spread;
import io.distributedlock.benchmarks.peer.Catalogue;
import io.distributedlock.benchmarks.peer.Peer;
import java.util.List;
import java.util.OptionalDouble;

/** What a scenario gave, in the order to print it. */
record Comparison(List<ResultLine> lines) {

    /** No library was measured. */
    static Comparison failed(List<Peer> peers, String reason) {
        return new Comparison(peers.stream()
                .map(peer -> {
                    Series none = new Series();
                    none.fail(reason);
                    return new ResultLine("-", peer, none);
                })
                .toList());
    }

    /** Whether nothing went wrong with this library: no failure, and never two threads inside together. */
    boolean isSound() {
        return lines.stream()
                .filter(line -> line.peer().name().startsWith(Catalogue.OURS))
                .allMatch(line -> line.series().remarks().isEmpty());
    }

    /** The median at this place; empty if it was not measured. */
    OptionalDouble at(FigureKey place) {
        return lines.stream()
                .filter(line ->
                        line.kase().equals(place.kase()) && line.peer().name().equals(place.peer()))
                .flatMap(line -> line.series().spread(place.heading()).stream())
                .mapToDouble(Spread::median)
                .findFirst();
    }
}
