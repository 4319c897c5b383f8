package io.distributedlock.spi;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A store that can notify a client, which needs its lock together with those of other stores, when trying again is
 * worth while. It can't grant the lock by itself, because no store knows whether the others would do the same.
 */
public interface LockHints {

    /**
     * {@link LockStore#acquire} for a claim that is not queued. If it is refused, a hint is left in the queue in the
     * same step, where it keeps its place, and the refusal has a {@link AcquireResult.Refused#grantNotification()
     * notification} without a grant when a release has come to the hint. The lock is free then, and the hint is used
     * up. A store that can't do this now refuses without it, and {@link AcquireResult.Refused#queued()} says so.
     *
     * @param claim who takes the lock if it is free
     * @param waiter the one to notify; the same for all tries of one wait, and never the owner of a lock
     * @param patience not much later it is not notified any more
     */
    CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Claim waiter, Duration patience);

    /**
     * Takes the hint back. If it has been used up already and the lock is still free, the next one in the queue is
     * notified.
     */
    CompletionStage<?> withdraw(Claim waiter);

    /**
     * {@link LockStore#release} without a notification: for a claim that kept no waiter waiting, because it was refused
     * elsewhere.
     */
    CompletionStage<Release> discard(Claim claim);
}
