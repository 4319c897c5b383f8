package io.distributedlock.testkit.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * All that is known of one run.
 *
 * @param events what clients did, in the order of time
 * @param samples what an oracle saw in Redis; without any, the invariants that compare with Redis decide nothing
 * @param faults what was injected
 * @param rest what was left at the end, if that was looked at
 */
public record History(List<Event> events, List<OwnerSample> samples, List<Fault> faults, Optional<FinalState> rest) {
    /** Copies the lists and puts the events in order. */
    public History {
        events = events.stream().sorted(Comparator.comparingLong(Event::nanos)).toList();
        samples = List.copyOf(samples);
        faults = List.copyOf(faults);
    }

    /** A history of events alone. */
    public static History of(List<Event> events) {
        return new History(events, List.of(), List.of(), Optional.empty());
    }

    /** This history with the events of other processes. */
    public History plus(List<Event> others) {
        List<Event> all = new ArrayList<>(events);
        all.addAll(others);
        return new History(all, samples, faults, rest);
    }

    /** This history with what was left at the end. */
    public History withRest(FinalState left) {
        return new History(events, samples, faults, Optional.of(left));
    }
}
