package io.distributedlock.spi;

import io.distributedlock.LockHealth;
import java.util.concurrent.CompletionStage;

/**
 * A store of several servers that can tell which of them answer. For health checks: nothing that locks depends on it.
 */
public interface NodeInspection {

    /** Asks all nodes at once; completes when each has answered or was silent for too long. */
    CompletionStage<LockHealth.Nodes> nodes();
}
