package io.distributedlock.internal.acquire;

import io.distributedlock.internal.support.Durations;
import io.distributedlock.internal.time.Scheduler;
import java.time.Duration;

/**
 * The time that one call may take. The wait time is for waiting behind another holder; a store that gives no answer at
 * all is given up after one command timeout, so that a caller does not hang for the whole wait time in front of a store
 * that is down.
 */
final class AcquireDeadline {

    private final Scheduler time;
    private final Duration commandTimeout;
    private final Duration waitTime;
    private final Duration waitedBefore;
    private final long startedAt;
    private final long spentAt;
    private volatile boolean answered;
    private volatile long triedAt;
    private volatile long confirmUntil;
    private volatile boolean confirming;

    AcquireDeadline(Scheduler time, AcquirePlan plan) {
        this.time = time;
        this.commandTimeout = plan.lease().attemptTimeout();
        this.waitTime = plan.waitTime();
        this.waitedBefore = plan.waitedBefore();
        this.startedAt = time.now();
        this.triedAt = startedAt;
        this.spentAt = startedAt + waitTime.toNanos();
    }

    /** How long the caller has waited in all. */
    Duration waited() {
        return time.since(startedAt).plus(waitedBefore);
    }

    Duration left() {
        return time.until(spentAt);
    }

    boolean isSpent() {
        return left().isZero();
    }

    /** A try begins. */
    void trying() {
        triedAt = time.now();
    }

    /** The store gave a definite answer: it can be reached, and what remains is waiting. */
    void answered() {
        answered = true;
        confirming = false;
    }

    /** Whether the store has named another holder. */
    boolean isAnswered() {
        return answered;
    }

    /** Whether a try of unknown outcome is being confirmed. */
    boolean isConfirming() {
        return confirming;
    }

    boolean allowsRetryWithoutAnswer() {
        Duration limit = answered ? waitTime : Durations.min(waitTime, commandTimeout);
        return time.since(startedAt).compareTo(limit) < 0;
    }

    /**
     * One command timeout, from when the outcome of a try was unknown first; more if its connection broke early, so
     * that there is time to open another one.
     */
    Duration leftToConfirm() {
        if (!confirming) {
            confirming = true;
            long timeout = commandTimeout.toNanos();
            confirmUntil = Durations.later(time.now() + timeout, triedAt + 2 * timeout);
        }
        return time.until(confirmUntil);
    }
}
