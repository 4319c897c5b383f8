package io.distributedlock.internal.renewal;

import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Gathers the renewals that become due in one turn of the timer thread and asks for them together, a hundred with one
 * call of the store, in the order in which they are due.
 */
final class RenewalBatcher {

    static final int MAX_TOGETHER = 100;

    private static final Function<BatchKey, List<HeldLease>> NEW_ROUND = terms -> new ArrayList<>(MAX_TOGETHER);

    private final Queue<HeldLease> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean planned = new AtomicBoolean();
    private final Scheduler time;
    private final BiConsumer<BatchKey, List<HeldLease>> start;

    /** @param start is called with the leases that are to be renewed together */
    RenewalBatcher(Scheduler time, BiConsumer<BatchKey, List<HeldLease>> start) {
        this.time = time;
        this.start = start;
    }

    void add(HeldLease heldLease) {
        due.add(heldLease);
        if (planned.compareAndSet(false, true)) {
            try {
                time.after(Duration.ZERO, this::start);
            } catch (RuntimeException | Error failed) {
                planned.set(false);
                throw failed;
            }
        }
    }

    private void start() {
        planned.set(false);
        Map<BatchKey, List<HeldLease>> rounds = new LinkedHashMap<>();
        for (HeldLease heldLease = due.poll(); heldLease != null; heldLease = due.poll()) {
            if (!heldLease.isOver()) {
                BatchKey terms = BatchKey.of(heldLease);
                List<HeldLease> round = rounds.computeIfAbsent(terms, NEW_ROUND);
                round.add(heldLease);
                if (round.size() == MAX_TOGETHER) {
                    rounds.remove(terms);
                    start.accept(terms, round);
                }
            }
        }
        rounds.forEach(start);
    }
}
