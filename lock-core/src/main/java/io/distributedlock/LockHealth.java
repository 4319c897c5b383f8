package io.distributedlock;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether locks can be trusted to work now.
 *
 * @param problem what is wrong; null if all is well
 * @param roundTrip how long the store took to answer; null if it did not
 * @param nodes which servers of the store answer; null if it has only one, or none could be asked
 * @param store see {@link LockMonitor#store()}
 * @param statistics what the client is doing
 */
public record LockHealth(
        @Nullable String problem,
        @Nullable Duration roundTrip,
        @Nullable Nodes nodes,
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
            details.put("nodes", nodes.answering() + " of " + nodes.total() + " answer, " + nodes.needed() + " needed");
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

    /**
     * The servers of a store, and which of them do not answer.
     *
     * @param total how many there are
     * @param needed how many have to answer for locks to be granted
     * @param silent why those do not answer that don't, by name; never with credentials
     */
    public record Nodes(int total, int needed, Map<String, String> silent) {

        public Nodes {
            silent = Map.copyOf(silent);
        }

        public int answering() {
            return total - silent.size();
        }

        public boolean areEnough() {
            return answering() >= needed;
        }
    }
}
