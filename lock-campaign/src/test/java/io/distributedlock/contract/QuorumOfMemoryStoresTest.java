package io.distributedlock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockMode;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.quorum.QuorumLockStore;
import io.distributedlock.quorum.QuorumNode;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.test.store.LockStoreContract;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QuorumOfMemoryStoresTest extends LockStoreContract {

    private final QuorumLockStore store = new QuorumLockStore(
            List.of(
                    new QuorumNode("a", new InMemoryLockStore()),
                    new QuorumNode("b", new InMemoryLockStore()),
                    new QuorumNode("c", new InMemoryLockStore())),
            Duration.ofSeconds(1));

    @Override
    public LockStore store() {
        return store;
    }

    @Test
    void sharedClaimsAreRefusedWithoutAnEffect() {
        Claim shared = new Claim("42", "reader", LockMode.SHARED);
        assertThat(store.limits().modes()).containsExactly(LockMode.EXCLUSIVE);
        assertThat(store.acquire(shared, Duration.ofSeconds(30), Duration.ZERO))
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.effect()).isEqualTo(Effect.REFUSED));
        assertThat(store.acquire(new Claim("42", "writer"), Duration.ofSeconds(30), Duration.ZERO)
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(Granted.class);
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
