package io.distributedlock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The calls that have not ended. Every call has time limits of its own; this is the last resort for one whose steps have failed in a way that nobody
 * expected. Nothing but its end takes a call out of here, and one timer looks after all of them.
 */
final class PendingCalls {

    static final Duration PERIOD = Duration.ofSeconds(1);

    private final Set<Contender> all = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean planned = new AtomicBoolean();
    private final Timeline time;

    PendingCalls(Timeline time) {
        this.time = time;
    }

    void add(Contender contender) {
        all.add(contender);
        contender.result().whenComplete((lock, failure) -> all.remove(contender));
        plan();
    }

    Collection<Contender> all() {
        return List.copyOf(all);
    }

    private void plan() {
        if (!planned.get() && planned.compareAndSet(false, true)) {
            try {
                time.after(PERIOD, this::look);
            } catch (RuntimeException | Error failure) {
                planned.set(false);
                Warnings.write(PendingCalls.class, "No timer could be set for the limits of lock calls", failure);
            }
        }
    }

    private void look() {
        try {
            all.forEach(Contender::endIfOverdue);
        } finally {
            planned.set(false);
            if (!all.isEmpty()) {
                plan();
            }
        }
    }
}
