package io.distributedlock.spi;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A store that can tell who holds a lock. For people who look into an incident: nothing that locks depends on it. */
public interface LockInspection {

    /**
     * What the store has for this id, or empty if the lock is free.
     *
     * @param id as in {@link Claim#id()}
     */
    CompletionStage<Optional<StoredLock>> find(String id);
}
