package io.distributedlock.internal.client;

import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.LockStore;

class ReentrantLockInMemoryTest extends ReentrantLockContract {

    @Override
    LockStore store() {
        return new InMemoryLockStore();
    }
}
