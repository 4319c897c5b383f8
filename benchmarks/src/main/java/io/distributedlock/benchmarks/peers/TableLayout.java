package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.peer.Catalogue;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The table of a scenario.
 *
 * @param main the heading whose spread is shown, and whose ratios are
 * @param floor the peer whose figure is the floor
 * @param others the further headings; one that no line has a value for is left out
 * @param targets what this library promises
 */
record TableLayout(String main, String floor, List<String> others, List<Target> targets) {

    /** By name, the peers without which a target, or a ratio to Redisson, could not be told. */
    Set<String> needed() {
        Stream<String> promised = targets.stream()
                .flatMap(target -> Stream.concat(Stream.of(target.place()), target.reference().stream()))
                .map(FigureKey::peer);
        return Stream.concat(Stream.of(Catalogue.OURS, Catalogue.REDISSON), promised)
                .collect(Collectors.toSet());
    }
}
