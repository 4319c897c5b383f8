package io.distributedlock.spring.metrics;

import io.distributedlock.LockStatistics;
import io.distributedlock.LockStatistics.Ambiguity;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The meters of one registry that are read from the client when the registry is scraped. */
final class ClientMeters {

    private final MeterRegistry registry;
    private final ClientFigures figures;

    ClientMeters(MeterRegistry registry, ClientFigures figures) {
        this.registry = registry;
        this.figures = figures;
    }

    void register() {
        counter("lock.renewals", "outcome", "succeeded", "Renewals that were confirmed", LockStatistics::renewals);
        counter("lock.renewals", "outcome", "failed", "Renewals that were not", LockStatistics::failedRenewals);
        for (Ambiguity ambiguity : Ambiguity.values()) {
            counter(
                    "lock.ambiguous",
                    "resolved",
                    ambiguity.name().toLowerCase(Locale.ROOT),
                    "Claims that Redis may have had without a holder's knowledge, by what became of them",
                    statistics -> statistics.resolved(ambiguity));
        }
        FunctionCounter.builder("lock.events.dropped", figures, of(LockStatistics::droppedEvents))
                .description("Events that were dropped because listeners were too slow")
                .register(registry);
        TimeGauge.builder("lock.renewal.lag", figures, TimeUnit.SECONDS, of(lag()))
                .description("By how much the latest renewal of the last minute came late")
                .register(registry);
        Gauge.builder("lock.reaper.size", figures, of(LockStatistics::unresolved))
                .description("Claims without a holder that are still being cleaned up")
                .register(registry);
    }

    private void counter(
            String name, String tag, String value, String description, ToDoubleFunction<LockStatistics> figure) {
        FunctionCounter.builder(name, figures, of(figure))
                .tag(tag, value)
                .description(description)
                .register(registry);
    }

    private static ToDoubleFunction<LockStatistics> lag() {
        return statistics -> statistics.renewalLag().toNanos() / 1e9;
    }

    private static ToDoubleFunction<ClientFigures> of(ToDoubleFunction<LockStatistics> figure) {
        return figures -> figure.applyAsDouble(figures.statistics());
    }

    /** The gauges of one lock name, from the first time that it is heard of. */
    void register(String name) {
        Gauge.builder("lock.held", figures, now -> now.held(name))
                .description("Locks that are held through this client now")
                .tag("name", name)
                .register(registry);
        Gauge.builder("lock.waiting", figures, now -> now.waiting(name))
                .description("Requests that are waiting in this client now")
                .tag("name", name)
                .register(registry);
        TimeGauge.builder("lock.ttl", figures, TimeUnit.SECONDS, now -> now.ttlSeconds(name))
                .description("Lease that the latest request for a lock asked for, as its policy decided")
                .tag("name", name)
                .register(registry);
    }
}
