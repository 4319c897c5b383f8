package io.distributedlock;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A tier of locks that are taken and held alike, chosen by a request or by the name of its lock. What a request says
 * itself goes before it; what is absent is the client's default.
 *
 * @param ttl how long leases are
 * @param renewed whether a lease is renewed until the lock is released; if not, the lock is lost at the end of its
 *     lease
 * @param waitTime how long a request waits for the lock
 * @param maxHold after which time the lock is lost, however often it is renewed
 * @param lockNames names of locks that use this policy unless their request names one; {@code *} stands for any text.
 *     Of several that match, the one with the most other characters counts, and one without {@code *} before all
 */
public record LockPolicy(
        @Nullable TtlPolicy ttl,
        boolean renewed,
        @Nullable Duration waitTime,
        @Nullable Duration maxHold,
        Set<String> lockNames) {

    /** @throws IllegalArgumentException if a duration is out of range, or a lock name is blank */
    public LockPolicy {
        if (waitTime != null) {
            LockOptions.requireWaitTime(waitTime);
        }
        if (maxHold != null) {
            LockOptions.requireMaxHold(maxHold);
        }
        lockNames = Set.copyOf(lockNames);
        for (String lockName : lockNames) {
            if (lockName.isBlank()) {
                throw new IllegalArgumentException("A lock name of a policy is blank. Write '*' for all locks");
            }
        }
    }

    /** Leases by this ttl policy, renewed, and the client's defaults for the rest. */
    public static LockPolicy of(TtlPolicy ttl) {
        return new LockPolicy(ttl, true, null, null, Set.of());
    }

    public LockPolicy withoutRenewal() {
        return new LockPolicy(ttl, false, waitTime, maxHold, lockNames);
    }

    public LockPolicy withWaitTime(Duration waitTime) {
        return new LockPolicy(ttl, renewed, waitTime, maxHold, lockNames);
    }

    public LockPolicy withMaxHold(Duration maxHold) {
        return new LockPolicy(ttl, renewed, waitTime, maxHold, lockNames);
    }

    /** The same for all locks whose name matches one of these. */
    public LockPolicy forLocks(String... lockNames) {
        return new LockPolicy(ttl, renewed, waitTime, maxHold, Set.of(lockNames));
    }
}
