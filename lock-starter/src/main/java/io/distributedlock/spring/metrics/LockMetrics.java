package io.distributedlock.spring.metrics;

import io.distributedlock.LockClient;
import io.distributedlock.LockEvent;
import io.distributedlock.LockListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The meters of a lock client: timers and counters of what happens to locks, as its listener, and gauges of what it is
 * doing. The lock's name is a tag; its key never is.
 *
 * <p>Not counted: what happened before it was bound to a registry, and events that were dropped because listeners were
 * too slow; that number is a meter itself.
 */
public final class LockMetrics implements LockListener, MeterBinder {

    private final List<Bound> registries = new CopyOnWriteArrayList<>();
    private final LockNames names;
    private final ClientFigures figures;

    /**
     * @param client the client whose listener this is; asked for when a meter is read, not before
     * @param maxNames how many lock names get tags of their own
     */
    public LockMetrics(Supplier<LockClient> client, int maxNames) {
        this.names = new LockNames(maxNames, name -> registries.forEach(bound -> bound.expect(name)));
        this.figures = new ClientFigures(() -> client.get().monitor().statistics(), names::tag);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Bound bound = new Bound(new EventMeters(registry), new ClientMeters(registry, figures));
        bound.gauges().register();
        registries.add(bound);
        for (String name : names.known()) {
            bound.expect(name);
        }
    }

    @Override
    public void on(LockEvent event) {
        String name = names.tag(event.name());
        registries.forEach(bound -> bound.events().record(event, name));
    }

    private record Bound(EventMeters events, ClientMeters gauges) {

        /** Begins with the meters of a lock name that has been heard of for the first time. */
        void expect(String name) {
            events.expect(name);
            gauges.register(name);
        }
    }
}
