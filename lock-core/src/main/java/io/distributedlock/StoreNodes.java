package io.distributedlock;

import java.util.Map;

/**
 * The servers of a store, and which of them do not answer.
 *
 * @param total how many there are
 * @param needed how many have to answer for locks to be granted
 * @param silent why those do not answer that don't, by name; never with credentials
 */
public record StoreNodes(int total, int needed, Map<String, String> silent) {

    public StoreNodes {
        silent = Map.copyOf(silent);
    }

    public int answering() {
        return total - silent.size();
    }

    public boolean areEnough() {
        return answering() >= needed;
    }
}
