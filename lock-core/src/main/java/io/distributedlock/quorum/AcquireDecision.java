package io.distributedlock.quorum;

import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.StoreException;
import java.time.Duration;

/** What the votes on an acquire come to. */
sealed interface AcquireDecision {

    /**
     * Enough nodes granted the lock.
     *
     * @param token the largest token of their grants
     * @param promised for how long enough of them keep the lock
     */
    record Won(long token, Duration promised) implements AcquireDecision {}

    /**
     * Others hold so many nodes that not enough are left.
     *
     * @param refusal without news
     * @param lacking how many nodes more would have been enough
     * @param split whether this claim held some nodes too, so that perhaps no claim holds enough
     * @param hints how many nodes have promised to notify of a release
     */
    record Lost(Refused refusal, int lacking, boolean split, int hints) implements AcquireDecision {}

    /**
     * Too few nodes granted the lock, and too few are known to be held by others.
     *
     * @param isOver whether so many nodes answered that none that is silent could make up for it
     */
    record Open(StoreException failure, boolean isOver) implements AcquireDecision {

        Open(StoreException failure) {
            this(failure, true);
        }
    }
}
