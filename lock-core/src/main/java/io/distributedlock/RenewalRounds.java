package io.distributedlock;

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
 * Gathers the renewals that become due in one turn of the timer thread and asks for them together, a hundred with one call of the store, in the
 * order in which they are due.
 */
final class RenewalRounds {

    static final int MAX_TOGETHER = 100;

    private static final Function<RenewalTerms, List<Tenure>> NEW_ROUND = terms -> new ArrayList<>(MAX_TOGETHER);

    private final Queue<Tenure> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean planned = new AtomicBoolean();
    private final Timeline time;
    private final BiConsumer<RenewalTerms, List<Tenure>> start;

    /** @param start is called with the leases that are to be renewed together */
    RenewalRounds(Timeline time, BiConsumer<RenewalTerms, List<Tenure>> start) {
        this.time = time;
        this.start = start;
    }

    void add(Tenure tenure) {
        due.add(tenure);
        if (planned.compareAndSet(false, true)) {
            time.after(Duration.ZERO, this::start);
        }
    }

    private void start() {
        planned.set(false);
        Map<RenewalTerms, List<Tenure>> rounds = new LinkedHashMap<>();
        for (Tenure tenure = due.poll(); tenure != null; tenure = due.poll()) {
            if (!tenure.isOver()) {
                RenewalTerms terms = RenewalTerms.of(tenure);
                List<Tenure> round = rounds.computeIfAbsent(terms, NEW_ROUND);
                round.add(tenure);
                if (round.size() == MAX_TOGETHER) {
                    rounds.remove(terms);
                    start.accept(terms, round);
                }
            }
        }
        rounds.forEach(start);
    }
}
