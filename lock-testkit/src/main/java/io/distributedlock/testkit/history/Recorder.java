package io.distributedlock.testkit.history;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The history of a run as it grows, in memory, fed by any thread without locks. */
public final class Recorder implements EventSink {
    private final int capacity;
    private final AtomicInteger size = new AtomicInteger();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final Queue<OwnerSample> samples = new ConcurrentLinkedQueue<>();
    private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();

    /** A fault that is going on; closing it, once, records it. */
    public final class OpenFault implements AutoCloseable {
        private final String name;
        private final String process;
        private final Set<Effect> effects;
        private final long begin = System.nanoTime();

        private OpenFault(String name, String process, Set<Effect> effects) {
            this.name = name;
            this.process = process;
            this.effects = effects;
        }

        @Override
        public void close() {
            takePlace();
            faults.add(new Fault(name, effects, process, begin, System.nanoTime()));
        }
    }

    /** A recorder for so many events, samples and faults together. */
    public Recorder(int capacity) {
        this.capacity = capacity;
    }

    /**
     * Keeps an event.
     *
     * @throws IllegalStateException if the recorder is full; the run is then too long for its capacity
     */
    @Override
    public void record(Event event) {
        takePlace();
        events.add(event);
    }

    /** Keeps a sample; throws as {@link #record} does. */
    public void sample(OwnerSample sample) {
        takePlace();
        samples.add(sample);
    }

    /** Begins a fault; call it before the injection, and close the result when all has been taken back. */
    public OpenFault fault(String name, Effect... effects) {
        return fault(name, "", effects);
    }

    /** Like {@link #fault(String, Effect...)}, for a fault that concerns the clients of one process only. */
    public OpenFault fault(String name, String process, Effect... effects) {
        Set<Effect> set = EnumSet.noneOf(Effect.class);
        set.addAll(List.of(effects));
        return new OpenFault(name, process, set);
    }

    /** Records that this process is about to be killed. */
    public void killing(String process) {
        record(new Event(EventKind.CLIENT_KILLED, "", process, "", System.nanoTime(), 0, "", ""));
    }

    /** What has been recorded so far. */
    public History history() {
        return new History(List.copyOf(events), List.copyOf(samples), List.copyOf(faults), Optional.empty());
    }

    private void takePlace() {
        if (size.incrementAndGet() > capacity) {
            throw new IllegalStateException("the history is full with " + capacity
                    + " entries; give the recorder more capacity or check it in shorter rounds");
        }
    }
}
