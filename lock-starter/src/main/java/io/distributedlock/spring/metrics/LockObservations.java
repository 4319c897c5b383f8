package io.distributedlock.spring.metrics;

import io.distributedlock.LockObserver;
import io.distributedlock.LockRequest;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * One observation, {@code lock.call}, for each call that runs under a lock, from before the lock is asked for until the
 * call has ended. So a trace shows the wait and the work as one span, in which the work's own spans stand.
 *
 * <p>Low-cardinality values are the lock's name and the outcome; a refusal is an outcome, but no error. The key can
 * contain user data and is left out unless it is asked for.
 */
public final class LockObservations implements LockObserver {

    private final ObservationRegistry registry;
    private final boolean withKey;
    private final LockNames names;

    /**
     * @param withKey whether the key becomes a high-cardinality value
     * @param maxNames how many lock names are distinguished
     */
    public LockObservations(ObservationRegistry registry, boolean withKey, int maxNames) {
        this.registry = registry;
        this.withKey = withKey;
        this.names = new LockNames(maxNames, name -> {});
    }

    @Override
    public Observed begin(LockRequest request) {
        if (registry.isNoop()) {
            return Observed.NOTHING;
        }
        String name = names.tag(request.name());
        Observation observation = Observation.createNotStarted("lock.call", registry)
                .contextualName("lock " + name)
                .lowCardinalityKeyValue("lock.name", name);
        if (withKey) {
            observation.highCardinalityKeyValue("lock.key", request.key());
        }
        return new Call(observation.start());
    }

    private record Call(Observation observation) implements Observed {

        @Override
        public Scope enter() {
            Observation.Scope scope = observation.openScope();
            return scope::close;
        }

        @Override
        public void end(@Nullable Throwable failure) {
            Outcome outcome = Outcome.of(failure);
            observation.lowCardinalityKeyValue(KeyValue.of("lock.outcome", outcome.tag()));
            if (failure != null && outcome != Outcome.REFUSED) {
                observation.error(failure);
            }
            observation.stop();
        }
    }
}
