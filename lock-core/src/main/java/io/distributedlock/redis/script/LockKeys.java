package io.distributedlock.redis.script;

import io.distributedlock.spi.Claim;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Where a lock is in Redis: its own key, and beside it, with the same hash tag, those of its queue and of its shares. A
 * script is given what it may touch. All of them are in the lock's hash slot; where keys are sharded, so is the fence
 * counter.
 */
public final class LockKeys {

    private final String prefix;
    private final BooleanSupplier isSharded;
    private final FenceKeys fences;

    /** @param prefix what every key begins with */
    public LockKeys(String prefix, BooleanSupplier isSharded) {
        this.prefix = prefix;
        this.isSharded = isSharded;
        this.fences = new FenceKeys(prefix);
    }

    /** Without the colon behind it. */
    public String keyPrefix() {
        return prefix.substring(0, prefix.length() - 1);
    }

    public String lock(String id) {
        return prefix + "{" + id + "}";
    }

    public String fence(String lock) {
        return isSharded.getAsBoolean() ? fences.besides(lock) : fences.ofAll();
    }

    public static String shares(String lock) {
        return lock + ":r";
    }

    private static String queue(String lock) {
        return lock + ":q";
    }

    /** For a try; an exclusive one has to do with the queue only if it waits there. */
    public List<String> toAcquire(Claim claim, boolean waits) {
        String lock = lock(claim.id());
        String fence = fence(lock);
        if (claim.isShared()) {
            return List.of(lock, fence, shares(lock), queue(lock));
        }
        return waits ? List.of(lock, fence, queue(lock)) : List.of(lock, fence);
    }

    /** For a try beside the queue. */
    public List<String> toAcquireUnqueued(Claim claim) {
        String lock = lock(claim.id());
        String fence = fence(lock);
        return claim.isShared() ? List.of(lock, fence, shares(lock)) : List.of(lock, fence);
    }

    /** For an exclusive try at a node that may have lost its data; the last one says whether it has. */
    public List<String> toBeAdmitted(Claim claim, boolean waits) {
        String lock = lock(claim.id());
        String since = prefix + "since";
        return waits ? List.of(lock, fence(lock), queue(lock), since) : List.of(lock, fence(lock), since);
    }

    public List<String> toRelease(String lock, boolean shared) {
        String fence = fence(lock);
        return shared ? List.of(lock, shares(lock), queue(lock), fence) : List.of(lock, queue(lock), fence);
    }

    /** To free it without a look at the queue. */
    public List<String> toFree(String lock, boolean shared) {
        return shared ? List.of(lock, shares(lock)) : List.of(lock);
    }

    public List<String> toFind(String lock) {
        return List.of(lock, queue(lock), shares(lock));
    }
}
