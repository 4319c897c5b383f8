package com.example.store;

import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.test.store.SharedQueueContract;
import java.time.Duration;

/** A store that has everything. */
class InMemoryStoreTests extends SharedQueueContract {

    private final InMemoryLockStore store = new InMemoryLockStore();

    @Override
    public LockStore store() {
        return store;
    }

    @Override
    protected Duration patienceMargin() {
        return Duration.ZERO;
    }
}
