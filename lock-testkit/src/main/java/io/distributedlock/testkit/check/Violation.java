package io.distributedlock.testkit.check;

import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventLine;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One breach of an invariant.
 *
 * @param invariant its number and meaning, for example {@code I1 holds are disjoint}
 * @param key the lock's key; empty if it concerns none
 * @param message what happened, with figures
 * @param events the events that show it, in the order of time
 */
public record Violation(String invariant, String key, String message, List<Event> events) {
    /** Copies the events. */
    public Violation {
        events = List.copyOf(events);
    }

    /** All of it as text, a line for each event. */
    @Override
    public String toString() {
        return events.stream()
                .map(event -> "\n    " + EventLine.format(event).strip().replace('\t', ' '))
                .collect(Collectors.joining("", invariant + " [" + key + "]: " + message, ""));
    }
}
