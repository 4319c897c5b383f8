package io.distributedlock.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockMode;
import io.distributedlock.spi.AcquireResult.Granted;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

/** A lock of a store, and those who want to share it or to have it alone. */
final class ContendedLock {

    static final Duration LONG = Duration.ofSeconds(30);

    final String id = "shared:" + UUID.randomUUID();
    private final Supplier<LockStore> store;

    /** @param store asked for at each call, since a test may have it only once it has begun */
    ContendedLock(Supplier<LockStore> store) {
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
        return LockStoreContract.join(store.get().acquire(claim, ttl, Duration.ZERO));
    }

    boolean extend(Claim claim, Duration ttl) {
        return !LockStoreContract.join(store.get().extend(claim, 1, ttl)).isZero();
    }

    boolean release(Claim claim) {
        return LockStoreContract.join(store.get().release(claim)).held();
    }
}
