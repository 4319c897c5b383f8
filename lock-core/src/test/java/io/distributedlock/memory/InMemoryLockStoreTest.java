package io.distributedlock.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.Release.Outcome;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class InMemoryLockStoreTest {

    @Test
    void aReleaseTellsAFreeLockFromOneThatAnotherOwnerHolds() {
        InMemoryLockStore store = new InMemoryLockStore();
        Claim holder = new Claim("id", "holder");
        store.acquire(holder, Duration.ofSeconds(30), Duration.ZERO);
        assertThat(store.release(new Claim("id", "stranger")))
                .isCompletedWithValueMatching(release -> release.outcome() == Outcome.NOT_OWNER);
        assertThat(store.release(holder))
                .isCompletedWithValueMatching(release -> release.outcome() == Outcome.RELEASED);
        assertThat(store.release(holder)).isCompletedWithValueMatching(release -> release.outcome() == Outcome.ABSENT);
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
