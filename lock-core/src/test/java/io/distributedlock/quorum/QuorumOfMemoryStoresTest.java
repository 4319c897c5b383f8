package io.distributedlock.quorum;

import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.LockStoreContract;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

class QuorumOfMemoryStoresTest extends LockStoreContract {

    private final QuorumLockStore store = new QuorumLockStore(
            List.of(
                    new QuorumNode("a", new InMemoryLockStore()),
                    new QuorumNode("b", new InMemoryLockStore()),
                    new QuorumNode("c", new InMemoryLockStore())),
            Duration.ofSeconds(1));

    @Override
    protected LockStore store() {
        return store;
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Override
    protected boolean aRushMayEndWithoutAGrant() {
        return true;
    }
}
