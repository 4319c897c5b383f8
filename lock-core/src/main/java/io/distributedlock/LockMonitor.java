package io.distributedlock;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a lock client is doing, for metrics, health checks and people who look into an incident.
 *
 * <p>What concerns this client is read from memory at once. What the store is asked for is waited for, one command
 * timeout at most. Lists are a moment's view: what they name may have ended before they are read.
 */
public interface LockMonitor {

    LockStatistics statistics();

    /** The locks that are held through this client, the oldest first, but no more than {@code limit}. */
    List<LockReport.Held> held(int limit);

    /** The requests that this client has not answered yet, the oldest first, but no more than {@code limit}. */
    List<LockReport.Awaited> awaited(int limit);

    /**
     * Asks the store who holds a lock, in whichever process.
     *
     * @param id as in {@link LockReport#id()}
     * @throws IllegalArgumentException if this is no id
     * @throws LockUnavailableException if the store gives no answer
     * @throws UnsupportedOperationException if this store can't tell
     */
    Optional<LockReport.Stored> find(String id);

    /**
     * The key that the store keeps this lock under, such as {@code lock:shop:{orders:42}} in Redis, for people who look
     * for it with the store's own tools; empty if the store has no such keys. Asks nothing of the store.
     *
     * @param id as in {@link LockReport#id()}
     * @throws IllegalArgumentException if this is no id
     */
    Optional<String> storeKey(String id);

    /**
     * Takes a lock away from its holders, exclusive or shared, in whichever process, for an incident that nothing else
     * ends. A holder in this process is notified at once, as lost by {@link LossReason#FORCED}; one in another process
     * by a message, within 100 ms if that process is connected and not paused. Where no messages arrive (RESP2, or no
     * notifications) it notices at its next renewal, and goes on until then as if it held the lock.
     *
     * @param id as in {@link LockReport#id()}
     * @return whose lock was taken away; empty if it was free, or passed to another owner meanwhile
     * @throws IllegalArgumentException if this is no id
     * @throws LockUnavailableException if the store gives no answer; it may have freed the lock
     * @throws UnsupportedOperationException if this store can't tell who holds it
     */
    Optional<LockReport.Stored> forceRelease(String id);

    /**
     * What the store works with, and in which ways, by name: {@code server} or {@code waiters}, for example; empty if
     * it does not say. Asks nothing of the store.
     */
    default Map<String, String> store() {
        return Map.of();
    }

    /** Whether the store answers and refuses nothing that locks need, and renewals are in time. */
    LockHealth health();
}
