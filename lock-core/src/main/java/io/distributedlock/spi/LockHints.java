package io.distributedlock.spi;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A store that can tell somebody who needs its lock together with those of other stores when trying again is worth
 * while. It can't give the lock to that one by itself, because nobody knows whether the others would do the same.
 */
public interface LockHints {

    /**
     * {@link LockStore#acquire} for a claim that is not queued. If it is refused, a hint is left in the queue in the
     * same step, where it keeps its place, and the refusal has {@link AcquireResult.Refused#news() news} without a
     * grant when a release has come to the hint. The lock is free then, and the hint is used up. A store that can't do
     * this now refuses without it, and {@link AcquireResult.Refused#queued()} tells.
     *
     * @param claim who takes the lock if it is free
     * @param waiter who is told; the same for all tries of one wait, and never the owner of a lock
     * @param patience not much later nobody is told any more
     */
    CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Claim waiter, Duration patience);

    /**
     * Takes the hint back. If it has been used up already and nobody has taken the lock, the next one in the queue is
     * told.
     */
    CompletionStage<?> withdraw(Claim waiter);

    /**
     * {@link LockStore#release} that tells nobody: for a claim that has let nobody wait, because it was refused
     * elsewhere.
     */
    CompletionStage<Release> discard(Claim claim);
}
