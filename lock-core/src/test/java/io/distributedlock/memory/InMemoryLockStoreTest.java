package io.distributedlock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.spi.Attempt;
import io.distributedlock.spi.Attempt.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.LockStoreContract;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class InMemoryLockStoreTest extends LockStoreContract {

    private final InMemoryLockStore store = new InMemoryLockStore();

    @Override
    protected LockStore store() {
        return store;
    }

    @Test
    void aLeaseEndsByTheInjectedClock() {
        AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
        InMemoryLockStore timed = new InMemoryLockStore(clock::get);
        Duration ttl = Duration.ofSeconds(1);
        timed.acquire(new Claim("id", "first"), ttl);
        clock.addAndGet(ttl.toNanos() - 1);
        assertThat(timed.acquire(new Claim("id", "second"), ttl))
                .isCompletedWithValueMatching(Refused.class::isInstance);
        clock.addAndGet(1);
        assertThat(timed.acquire(new Claim("id", "second"), ttl))
                .isCompletedWithValueMatching(Attempt.Granted.class::isInstance);
    }

    @Test
    void aRefusedOwnerHearsOfTheRelease() {
        store.acquire(new Claim("id", "first"), Duration.ofSeconds(30));
        Refused refused = (Refused) store.acquire(new Claim("id", "second"), Duration.ofSeconds(30))
                .toCompletableFuture()
                .join();
        assertThat(refused.news()).isNotCompleted();
        store.release(new Claim("id", "first"));
        assertThat(refused.news()).isCompletedWithValue(Optional.empty());
    }
}
