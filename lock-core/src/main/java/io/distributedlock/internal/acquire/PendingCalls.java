package io.distributedlock.internal.acquire;

import io.distributedlock.internal.support.Warnings;
import io.distributedlock.internal.time.Scheduler;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The calls that have not ended. Every call has time limits of its own; this is the last resort for one whose steps
 * have failed in an unexpected way. Nothing but its end takes a call out of here, and one timer looks after
 * all of them.
 */
public final class PendingCalls {

    public static final Duration PERIOD = Duration.ofSeconds(1);

    private final Set<LockWaiter> all = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean planned = new AtomicBoolean();
    private final Scheduler time;

    public PendingCalls(Scheduler time) {
        this.time = time;
    }

    public void add(LockWaiter waiter) {
        all.add(waiter);
        waiter.result().whenComplete((lock, failure) -> all.remove(waiter));
        plan();
    }

    public Collection<LockWaiter> all() {
        return List.copyOf(all);
    }

    private void plan() {
        if (!planned.get() && planned.compareAndSet(false, true)) {
            try {
                time.after(PERIOD, this::look);
            } catch (RuntimeException | Error failure) {
                planned.set(false);
                Warnings.write(
                        PendingCalls.class,
                        "No timer could be set for the limits of lock calls. Until one can, they end by their answers"
                                + " alone: look for exhausted memory or threads",
                        failure);
            }
        }
    }

    private void look() {
        try {
            all.forEach(LockWaiter::endIfOverdue);
        } finally {
            planned.set(false);
            if (!all.isEmpty()) {
                plan();
            }
        }
    }
}
