package io.distributedlock.testkit.history;

import java.time.Duration;

/**
 * How soon things have to happen in a run.
 *
 * @param commandTimeout the limit of one command, C; no call may take longer than its wait time and twice this
 * @param detection how long after a loss of server state holders may go on unaware
 * @param orphan how long a dead owner may stay in Redis while Redis can be reached
 * @param probation the same for a process killed before its call returned, and for a request that came late
 * @param lease the same for a process killed while it held the lock
 * @param recovery how long a free lock may stay without one of its waiters
 * @param signalSlack how late the record of a loss may be against the loss itself
 * @param schedulingSlack how late this host may run a thread that has something to do
 */
public record Limits(
        Duration commandTimeout,
        Duration detection,
        Duration orphan,
        Duration probation,
        Duration lease,
        Duration recovery,
        Duration signalSlack,
        Duration schedulingSlack) {
    private static final Duration LONGEST_COMMAND = Duration.ofSeconds(1);
    private static final Duration LONGEST_PROBATION = Duration.ofSeconds(5);

    /** The project's promises for leases of at most this length, with half a second for a slow host. */
    public static Limits forLease(Duration lease) {
        Duration commandTimeout = min(LONGEST_COMMAND, lease.dividedBy(5));
        return new Limits(
                commandTimeout,
                lease.dividedBy(3).plus(commandTimeout),
                Duration.ofMillis(250),
                min(LONGEST_PROBATION, lease),
                lease,
                Duration.ofSeconds(1),
                Duration.ZERO,
                Duration.ofMillis(500));
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
