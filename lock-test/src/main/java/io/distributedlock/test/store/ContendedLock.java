package io.distributedlock.test.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockMode;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.UUID;

/** A lock of a store, and those who want to share it or to have it alone. */
final class ContendedLock {

    static final Duration LONG = Duration.ofSeconds(30);
    static final Duration SHORT = Duration.ofMillis(200);

    final String id = "shared:" + UUID.randomUUID();
    private final LockStore store;

    ContendedLock(LockStore store) {
        this.store = store;
    }

    Claim reader() {
        return new Claim(id, UUID.randomUUID().toString(), LockMode.SHARED);
    }

    Claim writer() {
        return new Claim(id, UUID.randomUUID().toString());
    }

    Granted grant(Claim claim) {
        AcquireResult attempt = acquire(claim, LONG);
        assertThat(attempt).isInstanceOf(Granted.class);
        return (Granted) attempt;
    }

    AcquireResult acquire(Claim claim, Duration ttl) {
        return LockStoreContract.join(store.acquire(claim, ttl, Duration.ZERO));
    }

    boolean extend(Claim claim, Duration ttl) {
        return !LockStoreContract.join(store.extend(claim, 1, ttl)).isZero();
    }

    boolean release(Claim claim) {
        return LockStoreContract.join(store.release(claim)).held();
    }
}
