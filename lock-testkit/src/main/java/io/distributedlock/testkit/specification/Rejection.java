package io.distributedlock.testkit.specification;

import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventLine;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Why a history is no behaviour of the specification.
 *
 * @param key the lock
 * @param message what no order of steps explains
 * @param events the calls concerned, in the order of time
 */
public record Rejection(String key, String message, List<Event> events) {
    /** Copies the events. */
    public Rejection {
        events = List.copyOf(events);
    }

    @Override
    public String toString() {
        return events.stream()
                .map(event -> "\n    " + EventLine.format(event).strip().replace('\t', ' '))
                .collect(Collectors.joining("", "[" + key + "]: " + message, ""));
    }
}
