package io.distributedlock.testkit.history;

/** Where events go, from any thread. */
@FunctionalInterface
public interface EventSink {
    /** Keeps the event; the order of calls need not be the order in time. */
    void record(Event event);
}
