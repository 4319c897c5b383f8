package io.distributedlock.spi;

import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * A store of several servers that can tell which of them answer. For health checks: nothing that locks depends on it.
 */
public interface NodeInspection {

    /** Asks all nodes at once; completes when each has answered or was silent for too long. */
    CompletionStage<NodeHealth> nodes();

    /**
     * The servers of a store, and which of them do not answer.
     *
     * @param total how many there are
     * @param needed how many have to answer for locks to be granted
     * @param silent why those do not answer that don't, or what those refuse that do, by name; never with credentials
     */
    record NodeHealth(int total, int needed, Map<String, String> silent) {

        public NodeHealth {
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
