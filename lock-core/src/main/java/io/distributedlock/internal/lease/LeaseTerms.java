package io.distributedlock.internal.lease;

import io.distributedlock.internal.support.Durations;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a lock is held and every time limit that follows from it.
 *
 * <p>All deadlines count from the moment <em>before</em> a command was sent, never from its reply, and are shortened by
 * a bound for clock drift; so a holder stops earlier than the store could give the lock away.
 *
 * @param ttl the lease that the holder asked for
 * @param renewed whether the lease is renewed until the lock is released
 * @param maxHold how long the lock may be held at most, however often it is renewed; null for as long as its holder
 *     likes
 * @param commandTimeout how long the client waits for the answer to one command at most
 * @param minHold until when after the grant the store keeps the lock although it was released, at most the ttl; null if
 *     it does not
 * @param stopMargin for how long the store keeps the lock closed after its holder has lost it
 */
public record LeaseTerms(
        Duration ttl,
        boolean renewed,
        @Nullable Duration maxHold,
        Duration commandTimeout,
        @Nullable Duration minHold,
        Duration stopMargin) {

    private static final Duration MIN_PROBATION = Duration.ofSeconds(5);
    private static final Duration MIN_ATTEMPT_TIMEOUT = Duration.ofMillis(100);
    private static final Duration MIN_CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration MAX_MARGIN = Duration.ofMillis(100);
    private static final Duration FIXED_DRIFT = Duration.ofMillis(2);
    private static final Duration MAX_RENEWAL_RETRY = Duration.ofSeconds(1);
    /** For the release that ends a stop margin, and finds the lock only if it is a little earlier than its expiry. */
    private static final Duration MAX_CLOSING_REST = Duration.ofSeconds(1);

    public LeaseTerms(Duration ttl, boolean renewed, @Nullable Duration maxHold, Duration commandTimeout) {
        this(ttl, renewed, maxHold, commandTimeout, null, Duration.ZERO);
    }

    /** Another lease of the same client. */
    public LeaseTerms with(Duration ttl, boolean renewed, @Nullable Duration maxHold) {
        return new LeaseTerms(ttl, renewed, maxHold, commandTimeout, null, stopMargin);
    }

    /** The same with a stop margin. */
    public LeaseTerms withStopMargin(Duration margin) {
        return new LeaseTerms(ttl, renewed, maxHold, commandTimeout, minHold, margin);
    }

    /** The same, kept for {@code minHold} at least; a renewed one is made long enough for that. */
    public LeaseTerms keptFor(Duration minHold) {
        Duration longer = renewed && ttl.compareTo(minHold) < 0 ? minHold : ttl;
        return new LeaseTerms(longer, renewed, maxHold, commandTimeout, Durations.min(minHold, longer), stopMargin);
    }

    /** What the store is asked for, so that the holder can rely on {@code lease}: the margin is left behind that. */
    public Duration stored(Duration lease) {
        return lease.plus(stopMargin);
    }

    /** What the holder can rely on if the store keeps the lock for {@code stored}. */
    public Duration usable(Duration stored) {
        return stored.compareTo(stopMargin) > 0 ? stored.minus(stopMargin) : Duration.ZERO;
    }

    /** How long the store keeps a lock that was lost, unless it is released at the end of the margin before. */
    public Duration closing() {
        return stopMargin.plus(Durations.min(ttl, MAX_CLOSING_REST));
    }

    /** How much longer a lock has to be kept that is released after {@code held}. */
    public Duration leftToKeep(Duration held) {
        return minHold == null || minHold.compareTo(held) <= 0 ? Duration.ZERO : minHold.minus(held);
    }

    /**
     * The lease of the first write. A long explicit ttl starts short and is stretched if the lock is still held after a
     * third of that, so that a process that dies between the write and its reply leaves the lock taken for seconds
     * rather than for the whole ttl, and short work costs no other command.
     */
    public Duration firstTtl() {
        Duration probation = probation();
        return !renewed && ttl.compareTo(probation) > 0 ? probation : ttl;
    }

    boolean isStretched() {
        return !firstTtl().equals(ttl);
    }

    private Duration probation() {
        Duration fiveTimeouts = Duration.ofNanos(commandTimeout.toNanos() * 5);
        return fiveTimeouts.compareTo(MIN_PROBATION) > 0 ? fiveTimeouts : MIN_PROBATION;
    }

    /**
     * How long one command about this lock may take. Short leases get short limits, but none that a pause of this
     * process would exceed.
     */
    public Duration attemptTimeout() {
        Duration fifth = Durations.part(ttl, 5);
        return Durations.min(commandTimeout, fifth.compareTo(MIN_ATTEMPT_TIMEOUT) < 0 ? MIN_ATTEMPT_TIMEOUT : fifth);
    }

    /**
     * How long a connection may take to open before the first command: at least three seconds, however short commands
     * are.
     */
    public Duration connectTimeout() {
        return commandTimeout.compareTo(MIN_CONNECT_TIMEOUT) > 0 ? commandTimeout : MIN_CONNECT_TIMEOUT;
    }

    public Duration renewalTimeout() {
        return Durations.min(attemptTimeout(), Durations.part(firstTtl(), 6));
    }

    public Duration renewalPeriod() {
        return Durations.part(ttl, 3);
    }

    /** A renewal that is delayed by more puts the lock at risk. */
    public Duration maxLag() {
        return Durations.part(ttl, 6);
    }

    public Duration renewalRetry() {
        return Durations.min(Durations.part(firstTtl(), 12), MAX_RENEWAL_RETRY);
    }

    /** A grant with less than this left is not worth handing out. */
    public Duration minimumGrant() {
        return Durations.part(firstTtl(), 5);
    }

    /** A direct grant with less than this left is not worth running with: a third of what it had at first, or less. */
    public Duration minimumDirectGrant() {
        return Durations.min(minimumGrant(), Durations.part(LockStore.LONGEST_DIRECT_LEASE, 3));
    }

    /** Whether a direct grant gives less than the whole of an explicit ttl. */
    boolean isLongerThanDirect() {
        return !renewed && stored(ttl).compareTo(LockStore.LONGEST_DIRECT_LEASE) > 0;
    }

    /**
     * The instant at which the holder is notified that the lock is lost, given what the store promised for a command
     * sent at {@code sentAt}.
     */
    public static long safeUntil(long sentAt, Duration promised) {
        Duration drift = Durations.part(promised, 100).plus(FIXED_DRIFT);
        return sentAt + promised.minus(drift).minus(margin(promised)).toNanos();
    }

    /**
     * Between telling the holder and the end of the lease: at least a hundredth, at most a tenth, in between 100 ms.
     */
    private static Duration margin(Duration promised) {
        Duration hundredth = Durations.part(promised, 100);
        Duration capped = Durations.min(MAX_MARGIN, Durations.part(promised, 10));
        return hundredth.compareTo(capped) > 0 ? hundredth : capped;
    }
}
