package io.distributedlock;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long a refused waiter sleeps unless it is woken. */
@FunctionalInterface
interface WaitStrategy {

    /**
     * @param tries how many tries were refused so far, at least 1
     * @param leaseEndsIn when the holder's lease ends if nobody renews it
     */
    Duration next(int tries, Duration leaseEndsIn);

    /** Doubles from 10 ms up to 160 ms, never sleeps past the end of the lease, and is jittered by half, so that waiters don't march in step. */
    static WaitStrategy jitteredBackoff() {
        return (tries, leaseEndsIn) -> {
            long ceiling = Duration.ofMillis(10L << Math.min(tries - 1, 4)).toNanos();
            long ending =
                    Math.max(0, leaseEndsIn.toNanos()) + Duration.ofMillis(1).toNanos();
            long bounded = Math.min(ceiling, ending);
            return Duration.ofNanos(bounded / 2 + ThreadLocalRandom.current().nextLong(bounded / 2 + 1));
        };
    }
}
