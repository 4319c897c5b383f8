package io.distributedlock.memory;

import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A claim in a queue.
 *
 * @param since when its first try was refused
 * @param refusedAt when its latest try was refused: what it is promised counts from there
 * @param until after this instant it is not given the lock any more
 */
record Waiter(
        Claim claim, Duration ttl, long since, long refusedAt, long until, CompletableFuture<Optional<Granted>> news) {

    static Waiter arriving(Claim claim, Duration ttl, long now, Duration patience) {
        return new Waiter(claim, ttl, now, now, now + patience.toNanos(), new CompletableFuture<>());
    }

    /** The same claim after another try. */
    Waiter refusedAgain(long now) {
        return new Waiter(claim, ttl, since, now, until, new CompletableFuture<>());
    }

    boolean hasGivenUp(long now) {
        return until - now < 0;
    }

    Lease lease(long token, long now) {
        return new Lease(token, now + directLease().toNanos());
    }

    private Duration directLease() {
        return ttl.compareTo(LockStore.LONGEST_DIRECT_LEASE) < 0 ? ttl : LockStore.LONGEST_DIRECT_LEASE;
    }

    /** To be called when no lock is held, because it runs what waits for it. */
    void tell(Lease granted, long now) {
        Duration sinceRefused = Duration.ofNanos(now - refusedAt);
        news.complete(Optional.of(new Granted(granted.token(), sinceRefused.plus(directLease()), true)));
    }
}
