package io.distributedlock.testkit.history;

import io.distributedlock.testkit.analysis.Call;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * What a direct connection saw at a lock's key in Redis, at an instant between two others.
 *
 * @param key the lock's key, as in the events
 * @param begin before the question was sent, {@link System#nanoTime()}
 * @param end after the reply was read
 * @param owner the hash of the value of who has the lock alone; empty if no owner has
 * @param remaining how long that would stay without a renewal; zero if no owner has it, a year if it has no expiry
 * @param shares the hash of each value of those who share the lock, and how long each share would stay
 */
public record OwnerSample(
        String key, long begin, long end, String owner, Duration remaining, Map<String, Duration> shares) {
    /** Checks that the owners are hashes. */
    public OwnerSample {
        OwnerHash.require(owner);
        shares.keySet().forEach(OwnerHash::require);
        shares = Map.copyOf(shares);
    }

    /** A lock that is not shared. */
    public OwnerSample(String key, long begin, long end, String owner, Duration remaining) {
        this(key, begin, end, owner, remaining, Map.of());
    }

    /** All that have the lock. */
    public Set<String> owners() {
        return owner.isEmpty() ? shares.keySet() : Set.of(owner);
    }

    public boolean has(String someOwner) {
        return owner.equals(someOwner) || shares.containsKey(someOwner);
    }

    /** How long the lock would stay with this owner, who has it. */
    public Duration remaining(String someOwner) {
        return owner.equals(someOwner) ? remaining : shares.getOrDefault(someOwner, Duration.ZERO);
    }

    /** The earliest instant at which Redis could let this owner, who has it, expire. */
    public long expiry(String someOwner) {
        return begin + remaining(someOwner).toNanos();
    }

    /** Whether an owner had it that excludes this call. */
    public boolean keepsOut(Call call) {
        boolean alone = !owner.isEmpty() && !owner.equals(call.owner());
        return alone
                || (!call.terms().shared() && shares.keySet().stream().anyMatch(each -> !each.equals(call.owner())));
    }
}
