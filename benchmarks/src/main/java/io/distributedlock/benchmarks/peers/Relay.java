package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.child.Order;
import io.distributedlock.benchmarks.child.Outcome;
import io.distributedlock.benchmarks.child.ProcessGroup;
import io.distributedlock.benchmarks.figures.Waits;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Two processes that pass one lock to and fro. */
final class Relay {

    private static final Duration SHORTEST_WAIT = Duration.ofMillis(20);
    private static final Duration LONGEST_WAIT = Duration.ofMillis(120);

    private final RandomGenerator random = RandomGenerator.getDefault();
    private final ProcessGroup group;
    private final Order acquire;
    private final Order release;

    Relay(ProcessGroup group, String key) {
        this.group = group;
        this.acquire = Order.acquire(key);
        this.release = Order.release(key);
    }

    /** How long so many hand-overs took. */
    Waits run(int handOvers) {
        Waits waits = new Waits();
        int holder = 0;
        group.begin(holder, acquire);
        checked(group.end(holder, acquire));
        for (int handOver = 0; handOver < handOvers; handOver++) {
            int waiter = 1 - holder;
            group.begin(waiter, acquire);
            pause();
            group.begin(holder, release);
            Outcome released = checked(group.end(holder, release));
            Outcome granted = checked(group.end(waiter, acquire));
            waits.record(granted.atNanos() - released.atNanos());
            holder = waiter;
        }
        group.begin(holder, release);
        checked(group.end(holder, release));
        return waits;
    }

    private static Outcome checked(Outcome outcome) {
        outcome.failure().ifPresent(failure -> {
            throw new IllegalStateException(failure);
        });
        return outcome;
    }

    private void pause() {
        try {
            Thread.sleep(random.nextLong(SHORTEST_WAIT.toMillis(), LONGEST_WAIT.toMillis() + 1));
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted between two hand-overs", interrupt);
        }
    }
}
