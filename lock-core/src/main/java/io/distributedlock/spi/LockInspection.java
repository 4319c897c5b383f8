package io.distributedlock.spi;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A store that can tell who holds a lock, and take it away. For operators who look into an incident: nothing that locks
 * depends on it.
 */
public interface LockInspection {

    /**
     * What the store has for this id, or empty if the lock is free.
     *
     * @param id as in {@link Claim#id()}
     */
    CompletionStage<Optional<StoredLock>> find(String id);

    /**
     * The key that the store keeps this lock under, for people who look for it with the store's own tools; empty if it
     * has no such keys. Asks nothing of the store.
     *
     * @param id as in {@link Claim#id()}
     */
    default Optional<String> storeKey(String id) {
        return Optional.empty();
    }

    /**
     * What the store works with, and in which ways, by name: {@code server} or {@code waiters}, for example. Asks
     * nothing of the store.
     */
    default Map<String, String> description() {
        return Map.of();
    }

    /** What locks need and the store has refused, unless it has done that since; empty if all is well. */
    default Optional<String> problem() {
        return Optional.empty();
    }

    /**
     * {@link LockStore#release} of a claim that another client may hold. That client is notified, as far as it can be
     * reached by a message, about when its lock is released.
     */
    CompletionStage<Release> forceRelease(Claim claim);

    /**
     * Takes a lock, or a share of it, from the claim's owner and gives it to another owner, from which no client waits
     * for anything: so the lock stays closed until that one's lease ends or is released. The claim's client is notified
     * as by {@link #forceRelease}.
     *
     * @param lease how long from now the other owner has it, earlier or later than the claim's owner would have had it
     * @return false if the claim's owner does not hold the lock; fails in a store that can't do that
     */
    default CompletionStage<Boolean> replace(Claim claim, String owner, Duration lease) {
        return CompletableFuture.failedFuture(StoreException.refused(
                "this store can't keep a lock closed after a forced release; set no stop margin", null));
    }

    /**
     * Registers a hook for forced releases by any client of this store. It runs on a thread of the store and must not
     * block.
     *
     * @param hook takes a test that is true for the {@linkplain Claim#owner() owner} whose claim is released, which may
     *     belong to another client; the same release may be reported more than once
     */
    void onForceReleased(Consumer<Predicate<String>> hook);
}
