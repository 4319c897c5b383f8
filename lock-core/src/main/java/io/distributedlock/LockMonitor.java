package io.distributedlock;

import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.NodeInspection.NodeHealth;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
     * Asks the store for all locks that are held, in whichever process, page by page: see {@link LockListing#list} for
     * what a page may lack. Waits three command timeouts at most.
     *
     * @param cursor null for the first page, or {@link Page#next()}
     * @param limit about how many locks a page has; at most {@link LockListing#MAX_LOCKS}
     * @throws LockUnavailableException if the store gives no answer, refuses it, or does not know the cursor
     * @throws UnsupportedOperationException if this store can't list its locks
     */
    Page list(@Nullable String cursor, int limit);

    /**
     * What went wrong with locks of a name, in whichever process, the latest first: at most 50 incidents, which the
     * store forgets a week after the last one. Clients write them without keys of locks, at a bounded rate, and only if
     * they say who they are: see {@link LockClientBuilder#identity}. Empty if the store keeps none, or this client may
     * not read them.
     *
     * @param id the name of a lock, or an id as in {@link LockReport#id()}, whose key makes no difference
     * @throws IllegalArgumentException if this is no id
     * @throws LockUnavailableException if the store gives no answer
     */
    List<LockReport.Incident> history(String id);

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
    Health health();

    /**
     * Some of all locks.
     *
     * @param next the cursor of the next page; null if this is the last one
     * @param source what has answered, if the answer is not that of the whole store
     */
    record Page(
            List<LockReport.Listed> locks,
            @Nullable String next,
            @Nullable String source) {

        public Page {
            locks = List.copyOf(locks);
        }
    }

    /**
     * Whether locks can be trusted to work now.
     *
     * @param problem what is wrong; null if all is well
     * @param roundTrip how long the store took to answer; null if it did not
     * @param nodes which servers of the store answer; null if it has only one, or none could be asked
     * @param store see {@link #store()}
     * @param statistics what the client is doing
     */
    record Health(
            @Nullable String problem,
            @Nullable Duration roundTrip,
            @Nullable NodeHealth nodes,
            Map<String, String> store,
            LockStatistics statistics) {

        private static final Duration TEN_MILLIS = Duration.ofMillis(10);

        public boolean isHealthy() {
            return problem == null;
        }

        /** Everything that is known, by name, as text with units or as a number: for a health check. */
        public Map<String, Object> details() {
            Map<String, Object> details = new LinkedHashMap<>();
            if (problem != null) {
                details.put("problem", problem);
            }
            if (roundTrip != null) {
                details.put("roundTrip", legible(roundTrip));
            }
            if (nodes != null) {
                details.put(
                        "nodes", nodes.answering() + " of " + nodes.total() + " answer, " + nodes.needed() + " needed");
                if (!nodes.silent().isEmpty()) {
                    details.put("silentNodes", nodes.silent());
                }
            }
            details.putAll(store);
            details.put("held", statistics.totalHeld());
            details.put("waiting", statistics.totalWaiting());
            details.put("unresolved", statistics.unresolved());
            details.put("renewalLag", statistics.renewalLag().toMillis() + " ms");
            return details;
        }

        private static String legible(Duration time) {
            return time.compareTo(TEN_MILLIS) < 0 ? time.toNanos() / 1_000 + " us" : time.toMillis() + " ms";
        }
    }
}
