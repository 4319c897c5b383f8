package io.distributedlock;

import java.time.Duration;
import java.util.Map;

/**
 * The figures of one lock client at one moment. Counters begin at zero with the client and only grow.
 *
 * @param held how many locks are held, by lock name
 * @param waiting how many requests have not been answered yet, by lock name
 * @param unresolved how many claims without a holder are still being cleaned up
 * @param renewals how many renewals and checks of held locks the store has confirmed or denied
 * @param failedRenewals how many of them got no answer or an error; each is tried again while the lease lasts
 * @param renewalLag by how much the latest of the renewals of the last one to two minutes came late
 * @param ambiguities how many claims there were about which a reply was missing, or that had no holder any more, by
 *     what became of them
 * @param ttls the lease that the latest request under each lock name asked for, for a thousand names
 * @param droppedEvents of how many events listeners were not notified, because they were too slow
 */
public record LockStatistics(
        Map<String, Integer> held,
        Map<String, Integer> waiting,
        int unresolved,
        long renewals,
        long failedRenewals,
        Duration renewalLag,
        Map<Ambiguity, Long> ambiguities,
        Map<String, Duration> ttls,
        long droppedEvents) {

    /** What became of a claim that the store may have had without a holder's knowledge. */
    public enum Ambiguity {
        /** Asking again showed that the lock was granted; the caller got it. */
        GRANTED,
        /** It has no holder, and the store has confirmed that nothing of it is left. */
        CLEANED,
        /**
         * It has no holder, and it was cleaned up for as long as it could have existed, without a last word of the
         * store.
         */
        EXPIRED,
        /** It has no holder, but there were too many such claims to clean up after each; it was left to expire. */
        DROPPED
    }

    public LockStatistics {
        held = Map.copyOf(held);
        waiting = Map.copyOf(waiting);
        ambiguities = Map.copyOf(ambiguities);
        ttls = Map.copyOf(ttls);
    }

    public int totalHeld() {
        return total(held);
    }

    public int totalWaiting() {
        return total(waiting);
    }

    public long resolved(Ambiguity ambiguity) {
        return ambiguities.getOrDefault(ambiguity, 0L);
    }

    private static int total(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
