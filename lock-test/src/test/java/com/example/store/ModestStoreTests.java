package com.example.store;

import io.distributedlock.LockMode;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreLimits;
import io.distributedlock.test.store.ForwardingLockStore;
import io.distributedlock.test.store.LockQueueContract;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store with a queue that has nothing else which a store may leave out: the contract demands none of it. */
class ModestStoreTests extends LockQueueContract {

    private final LockStore store = new ModestStore();

    @Override
    public LockStore store() {
        return store;
    }

    @Override
    protected Duration patienceMargin() {
        return Duration.ZERO;
    }

    @Override
    protected boolean endsLeasesAtAGivenTime() {
        return false;
    }

    /** It can't be inspected, because a forwarding store can't. */
    private static final class ModestStore extends ForwardingLockStore {

        ModestStore() {
            super(new InMemoryLockStore());
        }

        @Override
        public StoreLimits limits() {
            return new StoreLimits(Set.of(LockMode.EXCLUSIVE), Optional.empty(), Optional.empty());
        }

        /** Leaves the lock to its lease. */
        @Override
        public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
            return CompletableFuture.completedFuture(true);
        }

        /** Does not tell an absent lock from one that another owner holds. */
        @Override
        public CompletionStage<Release> release(Claim claim) {
            return super.release(claim).thenApply(release -> Release.of(release.held(), release.settled()));
        }

        /** Tokens grow for each lock, but not from lock to lock. */
        @Override
        public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
            return super.acquire(claim, ttl, patience).thenApply(answer -> counted(claim, answer));
        }

        @Override
        public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
            return super.extend(claim, token - start(claim), ttl);
        }

        private static AcquireResult counted(Claim claim, AcquireResult answer) {
            if (answer instanceof Granted granted) {
                return counted(claim, granted);
            }
            Refused refused = (Refused) answer;
            return new Refused(
                    refused.retryAfter(),
                    refused.queued(),
                    refused.grantNotification().thenApply(news -> news.map(granted -> counted(claim, granted))));
        }

        private static Granted counted(Claim claim, Granted granted) {
            return new Granted(granted.token() + start(claim), granted.remaining(), granted.fresh());
        }

        private static long start(Claim claim) {
            return Math.floorMod(claim.id().hashCode(), 7)
                    * Duration.ofDays(365).toNanos();
        }
    }
}
