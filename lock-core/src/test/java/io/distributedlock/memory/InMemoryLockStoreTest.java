package io.distributedlock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.SharedQueueContract;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class InMemoryLockStoreTest extends SharedQueueContract {

    private final InMemoryLockStore store = new InMemoryLockStore();

    @Override
    protected LockStore store() {
        return store;
    }

    @Override
    protected Duration patienceMargin() {
        return Duration.ZERO;
    }

    @Test
    void aLeaseEndsByTheInjectedClock() {
        AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
        InMemoryLockStore timed = new InMemoryLockStore(clock::get);
        Duration ttl = Duration.ofSeconds(1);
        timed.acquire(new Claim("id", "first"), ttl, Duration.ZERO);
        clock.addAndGet(ttl.toNanos() - 1);
        assertThat(timed.acquire(new Claim("id", "second"), ttl, Duration.ZERO))
                .isCompletedWithValueMatching(Refused.class::isInstance);
        clock.addAndGet(1);
        assertThat(timed.acquire(new Claim("id", "second"), ttl, Duration.ZERO))
                .isCompletedWithValueMatching(AcquireResult.Granted.class::isInstance);
    }
}
