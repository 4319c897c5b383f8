package io.distributedlock.spring.metrics;

import io.distributedlock.LockEvent;
import io.distributedlock.LockEvent.Acquired;
import io.distributedlock.LockEvent.Lost;
import io.distributedlock.LockEvent.NotAcquired;
import io.distributedlock.LockEvent.Released;
import io.distributedlock.LossReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;

/** The meters of one registry that are fed by events. */
final class EventMeters {

    private final MeterProvider<Timer> acquire;
    private final MeterProvider<Timer> wait;
    private final MeterProvider<Timer> hold;
    private final MeterProvider<Counter> lost;

    EventMeters(MeterRegistry registry) {
        acquire = Timer.builder("lock.acquire")
                .description("Requests for locks, from the call to its answer")
                .withRegistry(registry);
        wait = Timer.builder("lock.wait")
                .description("How long requests waited that met another holder, whether or not they got the lock")
                .withRegistry(registry);
        hold = Timer.builder("lock.hold")
                .description("How long locks were held until they were released or lost")
                .withRegistry(registry);
        lost = Counter.builder("lock.lost")
                .description("Locks that ended before their holder released them")
                .withRegistry(registry);
    }

    /**
     * Counters of losses begin with zero: one that came with the first loss would show no increase, and raise no alert.
     */
    void expect(String name) {
        for (LossReason reason : LossReason.values()) {
            lost.withTags("name", name, "reason", tag(reason));
        }
    }

    void record(LockEvent event, String name) {
        if (event instanceof Acquired acquired) {
            answered(name, "acquired", tag(acquired.mode()), acquired.waited(), acquired.contended());
        } else if (event instanceof NotAcquired refused) {
            Outcome outcome = Outcome.of(refused.reason());
            answered(name, outcome.tag(), tag(refused.mode()), refused.waited(), outcome == Outcome.REFUSED);
        } else if (event instanceof Released released) {
            String outcome = released.confirmed() ? "released" : "unconfirmed";
            hold.withTags("name", name, "outcome", outcome).record(released.held());
        } else if (event instanceof Lost loss) {
            hold.withTags("name", name, "outcome", "lost").record(loss.held());
            lost.withTags("name", name, "reason", tag(loss.reason())).increment();
        }
    }

    private void answered(String name, String outcome, String mode, Duration waited, boolean contended) {
        acquire.withTags("name", name, "mode", mode, "outcome", outcome).record(waited);
        if (contended) {
            wait.withTags("name", name, "mode", mode).record(waited);
        }
    }

    private static String tag(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
