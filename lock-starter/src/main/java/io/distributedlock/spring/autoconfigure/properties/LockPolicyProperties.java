package io.distributedlock.spring.autoconfigure.properties;

import io.distributedlock.AdaptiveTtl;
import io.distributedlock.LockPolicy;
import io.distributedlock.TtlPolicy;
import io.distributedlock.spring.LockConfigurationException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of one policy.
 *
 * @param ttl Lease of its locks; distributed-lock.ttl unless set.
 * @param renew Whether a lease is renewed until the lock is released; without, the lock is lost at the end of its
 *     lease.
 * @param waitTime How long a call waits; distributed-lock.wait-time unless set.
 * @param maxHold How long a lock is held at most, however often it is renewed.
 * @param locks Names of the locks that use it unless their request names a policy; '*' stands for any text.
 * @param adaptive Limits of a lease that follows how long its locks are held, instead of a ttl.
 */
public record LockPolicyProperties(
        @Nullable Duration ttl,
        @DefaultValue("true") boolean renew,
        @Nullable Duration waitTime,
        @Nullable Duration maxHold,
        @DefaultValue Set<String> locks,
        @Nullable Adaptive adaptive) {

    static final LockPolicyProperties DEFAULTS = new LockPolicyProperties(null, true, null, null, Set.of(), null);

    /**
     * What a lease is made of that follows the hold times.
     *
     * @param min The shortest lease.
     * @param max The longest lease, and the first one.
     * @param percentile Which part of the holds ends in time without the factor.
     * @param factor How much room they get while no call waits.
     */
    public record Adaptive(
            @DefaultValue("1s") Duration min,
            @DefaultValue("2m") Duration max,
            @DefaultValue("0.99") double percentile,
            @DefaultValue("3") double factor) {}

    /**
     * @param own the application's way to decide on the leases of this policy
     * @throws LockConfigurationException if the settings can't work
     */
    LockPolicy policy(String name, @Nullable TtlPolicy own) {
        String property = "distributed-lock.policies." + name;
        if (ttl != null && adaptive != null || own != null && (ttl != null || adaptive != null)) {
            throw new LockConfigurationException(
                    property + " has more than one way to decide on its leases",
                    "Keep one: a ttl, an adaptive one, or a TtlPolicy bean called '" + name + "'");
        }
        try {
            return new LockPolicy(own == null ? ttlPolicy() : own, renew, waitTime, maxHold, locks);
        } catch (IllegalArgumentException invalid) {
            throw new LockConfigurationException(
                    property + " can't work: " + invalid.getMessage(),
                    "Correct it, and write units: a number alone means milliseconds",
                    invalid);
        }
    }

    private @Nullable TtlPolicy ttlPolicy() {
        if (adaptive == null) {
            return ttl == null ? null : TtlPolicy.fixed(ttl);
        }
        return TtlPolicy.adaptive(
                new AdaptiveTtl(adaptive.min(), adaptive.max(), adaptive.percentile(), adaptive.factor()));
    }
}
