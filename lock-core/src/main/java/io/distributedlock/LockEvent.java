package io.distributedlock;

import java.time.Duration;
import java.util.List;

/**
 * What happened to one lock, as a {@link LockListener} is notified of it. The key may contain user data, so it does not
 * belong into metrics.
 */
public sealed interface LockEvent {

    /** The static part of the lock's identity. */
    String name();

    /** The variable part of the lock's identity. */
    String key();

    /**
     * The lock was granted after {@code waited}; {@code contended} is true if another owner, or another request of this
     * process, came first. {@code fencingToken} is zero unless the token came with the grant.
     */
    record Acquired(String name, String key, LockMode mode, long fencingToken, Duration waited, boolean contended)
            implements LockEvent {}

    /** The lock was not granted; {@code reason} is what the caller received. */
    record NotAcquired(String name, String key, LockMode mode, Duration waited, LockException reason)
            implements LockEvent {}

    /**
     * The holder released the lock after {@code held}; {@code confirmed} is false if the store has not answered, and
     * the clean-up goes on.
     */
    record Released(String name, String key, Duration held, boolean confirmed) implements LockEvent {}

    /** A renewal failed; the lock is still held, and the renewal is tried again while the lease lasts. */
    record RenewalFailed(String name, String key, Duration remaining, Throwable cause) implements LockEvent {}

    /**
     * A renewal came late by {@code lag}, because this process was held up; {@code remaining} is what was left of the
     * lease then.
     */
    record RenewalLate(String name, String key, Duration lag, Duration remaining) implements LockEvent {}

    /**
     * The lock has been held for longer than the client's long-hold warning, and still is. Published once for each
     * lock.
     *
     * @param stack what the thread that holds it is doing; empty if it belongs to no thread
     */
    record LongHold(String name, String key, Duration held, List<StackTraceElement> stack) implements LockEvent {}

    /** The lock ended before its holder released it. Published once for each lock. */
    record Lost(String name, String key, LossReason reason, Duration held) implements LockEvent {}
}
