package io.distributedlock.internal.policy;

import io.distributedlock.LockMode;
import io.distributedlock.LockOptions;
import io.distributedlock.LockPolicy;
import io.distributedlock.LockRequest;
import io.distributedlock.TtlPolicy;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.lease.ResolvedRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a client does where a request says nothing.
 *
 * @param lease the lease of locks without an explicit ttl or a policy, which all of them share
 * @param policies go before the client's own settings
 * @param running what a policy may know about the locks that are held
 */
public record LockDefaults(
        Duration waitTime,
        LeaseTerms lease,
        LockPolicies policies,
        TtlPolicy.RunningLocks running,
        LastRequestedTtls asked) {

    private static final LockPolicy NO_POLICY = new LockPolicy(null, true, null, null, Set.of());

    /** Without policies. */
    public LockDefaults(Duration waitTime, LeaseTerms lease) {
        this(waitTime, lease, new LockPolicies(Map.of()), name -> Duration.ZERO, new LastRequestedTtls());
    }

    /**
     * @throws IllegalArgumentException if the request names an unknown policy, its policy gives no possible ttl, or it
     * shares a lock that shall be kept
     */
    public ResolvedRequest terms(LockRequest request) {
        LockPolicy found = policies.of(request);
        LockPolicy policy = found == null ? NO_POLICY : found;
        Duration minHold = minHold(request);
        LeaseTerms granted = minHold == null
                ? lease(request, policy)
                : lease(request, policy).keptFor(minHold);
        asked.asked(request.name(), granted.ttl());
        return new ResolvedRequest(
                request.id(),
                request.mode(),
                granted,
                waitTime(request, policy),
                request.options().fencing());
    }

    /**
     * How long a request waits, for all its keys together.
     *
     * @throws IllegalArgumentException if the request names an unknown policy
     */
    public Duration waitTime(LockRequest request) {
        LockPolicy found = policies.of(request);
        return waitTime(request, found == null ? NO_POLICY : found);
    }

    private Duration waitTime(LockRequest request, LockPolicy policy) {
        Duration wait = first(request.options().waitTime(), policy.waitTime());
        return wait == null ? waitTime : wait;
    }

    private static @Nullable Duration minHold(LockRequest request) {
        Duration minHold = request.options().minHold();
        if (minHold != null && request.mode() != LockMode.EXCLUSIVE) {
            throw new IllegalArgumentException("Lock '" + request.name()
                    + "' is requested as shared and with a min-hold, which is for locks that are held alone."
                    + " Leave out one of them");
        }
        return minHold;
    }

    /**
     * The client's cap bounds locks that would be renewed for ever; who says for how long a lock is wanted has said it.
     */
    private LeaseTerms lease(LockRequest request, LockPolicy policy) {
        LockOptions options = request.options();
        Duration maxHold = first(options.maxHold(), policy.maxHold());
        if (options.ttl() != null) {
            return lease.with(options.ttl(), false, maxHold);
        }
        if (policy == NO_POLICY && maxHold == null) {
            return lease;
        }
        Duration ttl = policy.ttl() == null
                ? lease.ttl()
                : LockOptions.requireTtl(policy.ttl().ttl(request, running));
        Duration cap = maxHold == null && policy.renewed() ? lease.maxHold() : maxHold;
        return lease.with(ttl, policy.renewed(), cap);
    }

    private static @Nullable Duration first(@Nullable Duration own, @Nullable Duration policys) {
        return own == null ? policys : own;
    }
}
