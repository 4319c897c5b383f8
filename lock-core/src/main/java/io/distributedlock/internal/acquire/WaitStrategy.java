package io.distributedlock.internal.acquire;

import io.distributedlock.internal.support.Durations;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long a refused waiter sleeps unless it is woken. */
@FunctionalInterface
public interface WaitStrategy {

    /**
     * @param tries how many tries were refused so far, at least 1
     * @param leaseEndsIn when the holder's lease ends unless it is renewed
     */
    Duration next(int tries, Duration leaseEndsIn);

    /**
     * The same for a waiter in a queue, which is notified of its turn: it has to look only where no notification comes,
     * at the end of a lease. The first in the queue may have been given the lock without reacting, so it does not sleep
     * for longer than a lease that is given in this way.
     */
    default Duration inQueue(Duration leaseEndsIn) {
        Duration ending = leaseEndsIn.plusMillis(1);
        long bounded = Durations.min(ending, LockStore.LONGEST_DIRECT_LEASE).toNanos();
        return Duration.ofNanos(bounded + ThreadLocalRandom.current().nextLong(bounded / 10 + 1));
    }

    /**
     * Doubles from 10 ms up to 160 ms, never sleeps past the end of the lease, and is jittered by half, so that waiters
     * don't march in step.
     */
    static WaitStrategy jitteredBackoff() {
        return (tries, leaseEndsIn) -> {
            Duration ceiling = Duration.ofMillis(10L << Math.min(tries - 1, 4));
            long ending = Math.max(0, Durations.min(leaseEndsIn, ceiling).toNanos())
                    + Duration.ofMillis(1).toNanos();
            long bounded = Math.min(ceiling.toNanos(), ending);
            return Duration.ofNanos(bounded / 2 + ThreadLocalRandom.current().nextLong(bounded / 2 + 1));
        };
    }
}
