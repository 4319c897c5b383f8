package io.distributedlock.redis.script;

import io.distributedlock.spi.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Where a lock is in Redis: its own key, and beside it, with the same hash tag, those of its queue and of its shares. A
 * script is given what it may touch. All of them are in the lock's hash slot; where keys are sharded, so is the fence
 * counter.
 */
public final class LockKeys {

    /** The ids of locks with which a client tries a server begin like this. They are gone at once, and not listed. */
    public static final String PROBE = "distributed-lock:probe";

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

    /** The id of a lock whose key this is. */
    public String id(String lock) {
        return lock.substring(prefix.length() + 1, lock.length() - 1);
    }

    /** Whether this is the key of a lock with which a client tries the server. */
    public boolean isProbe(String lock) {
        return id(lock).startsWith(PROBE);
    }

    /** The glob that the keys of locks match, and no other key of ours. */
    public String pattern() {
        return prefix.replaceAll("[\\\\*?\\[\\]]", "\\\\$0") + "{*}";
    }

    /** What a client says about itself. */
    public String client(String client) {
        return prefix + "client:" + client;
    }

    /** What clients say about the locks of this name. */
    public String history(String name) {
        return prefix + "history:" + name;
    }

    public String fence(String lock) {
        return isSharded.getAsBoolean() ? fences.besides(lock) : fences.ofAll();
    }

    public static String shares(String lock) {
        return lock + ":r";
    }

    public static String queue(String lock) {
        return lock + ":q";
    }

    /** At the same places for all scripts that grant a lock to the next claim, or share one. */
    private List<String> all(String lock) {
        return List.of(lock, shares(lock), fence(lock), queue(lock));
    }

    /** For a try; an exclusive one has to do with the queue only if it waits there. */
    public List<String> toAcquire(Claim claim, boolean waits) {
        String lock = lock(claim.id());
        if (claim.isShared()) {
            return all(lock);
        }
        return waits ? List.of(lock, fence(lock), queue(lock)) : List.of(lock, fence(lock));
    }

    /** For a try beside the queue. */
    public List<String> toAcquireUnqueued(Claim claim) {
        String lock = lock(claim.id());
        String fence = fence(lock);
        return claim.isShared() ? List.of(lock, shares(lock), fence) : List.of(lock, fence);
    }

    /** The same with a key behind the lock that nothing uses, to try commands on. */
    public static List<String> withUnused(List<String> touched) {
        List<String> all = new ArrayList<>(touched);
        all.add(1, touched.get(0) + ":unused");
        return all;
    }

    /** For an exclusive try at a node that may have lost its data; the third one says whether it has. */
    public List<String> toBeAdmitted(Claim claim, boolean waits) {
        String lock = lock(claim.id());
        String since = prefix + "since";
        return waits ? List.of(lock, fence(lock), since, queue(lock)) : List.of(lock, fence(lock), since);
    }

    public List<String> toRelease(String lock) {
        return all(lock);
    }

    /** To extend it, or to free it without a look at the queue. */
    public static List<String> ofLockAlone(String lock, boolean shared) {
        return shared ? List.of(lock, shares(lock)) : List.of(lock);
    }

    public List<String> toFind(String lock) {
        return List.of(lock, queue(lock), shares(lock));
    }
}
