package io.distributedlock;

import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.LockStore;

class ThreadLockInMemoryTest extends ThreadLockContract {

    @Override
    LockStore store() {
        return new InMemoryLockStore();
    }
}
