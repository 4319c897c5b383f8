package io.distributedlock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a lock is taken and held. What is absent is the client's default.
 *
 * @param waitTime how long to wait for the lock in all, commands included; zero means one try
 * @param ttl how long the lock is held at most. A lock with an explicit ttl is never renewed; one without is renewed
 *     until it is released
 * @param maxHold after which time the lock is lost to a holder that still has not released it, however often it is
 *     renewed. The client's default counts for locks without an explicit ttl only
 * @param interruptOnLoss whether {@link LockTemplate} interrupts the thread that works under the lock when the lock is
 *     lost. It does so only while the work runs, and clears the flag afterwards
 * @param cancelWork whether the stage of asynchronous work is cancelled when its caller's future is cancelled, or ends
 *     by a time-out. A stage that is cancelled has ended, and its lock is released, even if what computes it goes on:
 *     only for work that stops when its stage is cancelled
 * @param policy the name of the {@link LockPolicy} that says what is absent here, before the client does. Without one,
 *     the lock's name decides
 * @param minHold until when after its grant the lock stays taken even if it is released earlier; at most the ttl. A
 *     lock without an explicit ttl gets a lease that is no shorter. For locks that are held alone
 * @param fencing whether the lock is granted together with its {@linkplain LockHandle#fencingToken() fencing token}. If
 *     not, the first question for the token draws it, which is another command
 */
public record LockOptions(
        @Nullable Duration waitTime,
        @Nullable Duration ttl,
        @Nullable Duration maxHold,
        boolean interruptOnLoss,
        boolean cancelWork,
        @Nullable String policy,
        @Nullable Duration minHold,
        boolean fencing) {

    /** The shortest lease: below this, a few lost milliseconds on the way to the store would use up the lease. */
    public static final Duration MIN_TTL = Duration.ofMillis(50);

    /** The longest lease and the longest wait. */
    public static final Duration MAX_DURATION = Duration.ofDays(365);

    /** Everything as the client has it. */
    public static final LockOptions DEFAULTS = new LockOptions(null, null, null, false, false, null, null, false);

    public LockOptions {
        if (ttl != null) {
            requireTtl(ttl);
        }
        if (waitTime != null) {
            requireWaitTime(waitTime);
        }
        if (maxHold != null) {
            requireMaxHold(maxHold);
        }
        if (minHold != null) {
            requireMinHold(minHold, ttl);
        }
    }

    public LockOptions withWaitTime(Duration waitTime) {
        return new LockOptions(waitTime, ttl, maxHold, interruptOnLoss, cancelWork, policy, minHold, fencing);
    }

    public LockOptions withTtl(Duration ttl) {
        return new LockOptions(waitTime, ttl, maxHold, interruptOnLoss, cancelWork, policy, minHold, fencing);
    }

    public LockOptions withMaxHold(Duration maxHold) {
        return new LockOptions(waitTime, ttl, maxHold, interruptOnLoss, cancelWork, policy, minHold, fencing);
    }

    public LockOptions withInterruptOnLoss(boolean interruptOnLoss) {
        return new LockOptions(waitTime, ttl, maxHold, interruptOnLoss, cancelWork, policy, minHold, fencing);
    }

    public LockOptions withCancelWork(boolean cancelWork) {
        return new LockOptions(waitTime, ttl, maxHold, interruptOnLoss, cancelWork, policy, minHold, fencing);
    }

    public LockOptions withPolicy(String policy) {
        return new LockOptions(waitTime, ttl, maxHold, interruptOnLoss, cancelWork, policy, minHold, fencing);
    }

    public LockOptions withMinHold(Duration minHold) {
        return new LockOptions(waitTime, ttl, maxHold, interruptOnLoss, cancelWork, policy, minHold, fencing);
    }

    public LockOptions withFencing(boolean fencing) {
        return new LockOptions(waitTime, ttl, maxHold, interruptOnLoss, cancelWork, policy, minHold, fencing);
    }

    private static void requireMinHold(Duration minHold, @Nullable Duration ttl) {
        if (minHold.compareTo(MIN_TTL) < 0 || minHold.compareTo(MAX_DURATION) > 0) {
            throw new IllegalArgumentException("A min-hold must be from 50ms to 365d, but is " + minHold
                    + ". Leave it out for a lock that is free as soon as it is released");
        }
        if (ttl != null && minHold.compareTo(ttl) > 0) {
            throw new IllegalArgumentException("A min-hold must be at most the ttl, but they are " + minHold + " and "
                    + ttl + ": the lock is never kept for longer than its lease. Raise the ttl, or leave it out");
        }
    }

    public static Duration requireTtl(Duration ttl) {
        if (ttl.compareTo(MIN_TTL) < 0 || ttl.compareTo(MAX_DURATION) > 0) {
            throw new IllegalArgumentException("A lock's ttl must be from 50ms to 365d, but is " + ttl
                    + ": a shorter lease would be used up on the way to the store. Leave it out for a lock"
                    + " that is renewed");
        }
        return ttl;
    }

    public static Duration requireMaxHold(Duration maxHold) {
        if (maxHold.compareTo(MIN_TTL) < 0 || maxHold.compareTo(MAX_DURATION) > 0) {
            throw new IllegalArgumentException("A max-hold must be from 50ms to 365d, but is " + maxHold
                    + ". Leave it out for a lock that may be held for as long as its holder likes");
        }
        return maxHold;
    }

    public static Duration requireWaitTime(Duration waitTime) {
        if (waitTime.isNegative() || waitTime.compareTo(MAX_DURATION) > 0) {
            throw new IllegalArgumentException("A wait time must be from 0 (one try) to 365d, but is " + waitTime);
        }
        return waitTime;
    }
}
