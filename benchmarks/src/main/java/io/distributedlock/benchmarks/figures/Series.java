package io.distributedlock.benchmarks.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was measured of one peer in one case: for each heading, a value from each round. For one thread at a time. */
public final class Series {

    private final Map<String, List<Double>> values = new LinkedHashMap<>();
    private final List<String> remarks = new ArrayList<>();

    public void add(Round round) {
        round.values()
                .forEach((heading, value) -> values.computeIfAbsent(heading, name -> new ArrayList<>())
                        .add(value));
        round.remarks().stream().filter(remark -> !remarks.contains(remark)).forEach(remarks::add);
    }

    /** Sets a figure that is not one of each round, but of all of them together. */
    public void put(String heading, double value) {
        values.put(heading, List.of(value));
    }

    /** Says that there will be no more rounds, and why. */
    public void fail(String reason) {
        remarks.add("FAILED: " + reason);
    }

    /** Empty if no round has such a value. */
    public Optional<Spread> spread(String heading) {
        return Optional.ofNullable(values.get(heading)).map(Spread::of);
    }

    /** What a reader has to know before comparing these figures, such as that exclusion was violated. */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }
}
