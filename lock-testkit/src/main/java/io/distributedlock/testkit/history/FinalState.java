package io.distributedlock.testkit.history;

import java.util.List;
import java.util.Map;

/**
 * What is left when all clients have finished and nothing is under way.
 *
 * @param keys the keys in Redis that belong to locks, without counters that stay by design
 * @param gauges what the clients still have by name, for example threads, subscriptions, clean-up entries
 */
public record FinalState(List<String> keys, Map<String, Long> gauges) {
    /** Copies both. */
    public FinalState {
        keys = List.copyOf(keys);
        gauges = Map.copyOf(gauges);
    }
}
