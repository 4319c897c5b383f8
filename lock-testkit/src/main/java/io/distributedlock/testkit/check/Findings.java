package io.distributedlock.testkit.check;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.history.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The breaches of one invariant that were found; the first thousand of them. */
final class Findings {
    private static final int MAX = 1_000;

    private final String invariant;
    private final List<Violation> violations = new ArrayList<>();

    Findings(String invariant) {
        this.invariant = invariant;
    }

    void add(String key, String message, Call... calls) {
        if (!isFull()) {
            List<Event> events = Stream.of(calls)
                    .flatMap(call -> call.events().stream())
                    .sorted(Comparator.comparingLong(Event::nanos))
                    .toList();
            violations.add(new Violation(invariant, key, message, events));
        }
    }

    /** Whether looking further would find nothing new about a lock that is this broken. */
    boolean isFull() {
        return violations.size() >= MAX;
    }

    List<Violation> violations() {
        return violations;
    }

    /** A span of nanoseconds in milliseconds, for messages. */
    static String millis(long nanos) {
        return nanos / 1_000 / 1_000.0 + " ms";
    }
}
