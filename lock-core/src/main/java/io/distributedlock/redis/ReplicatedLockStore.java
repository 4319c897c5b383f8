package io.distributedlock.redis;

import io.distributedlock.redis.script.RedisReplies;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.BatchExtension;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.ClientRoster;
import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.OnDemandTokens;
import io.distributedlock.spi.PreparedBatchExtension;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreLimits;
import io.distributedlock.spi.StoredLock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Locks that are granted only once a number of replicas have them, so that the death of their master costs fewer of
 * them.
 *
 * <p>Guaranteed: each grant had been received by that many replicas of the master that made it. Not guaranteed: that
 * one of those is promoted, nor that a renewal or a release has been received by any of them; only a quorum keeps every
 * lock that it has confirmed.
 *
 * <p>A grant that too few replicas acknowledge in time counts as one without an answer: its client tries again while
 * there is time, and then takes it back. It costs two round trips more than another one, on a second connection,
 * because the server lets nothing else through on the one that waits for replicas.
 */
public final class ReplicatedLockStore
        implements LockStore, BatchExtension, OnDemandTokens, LockInspection, LockListing {

    private final RedisLockStore locks;
    private final RedisLockStore witness;
    private final Replicas replicas;
    private final int enough;
    private final Duration limit;

    /**
     * @param locks where the locks are
     * @param second other connections to the same place, not opened yet; they are closed with this store
     * @param enough how many replicas have to have a lock, at least one
     * @param limit how long they are waited for: less than three command timeouts, after which a silent server is left
     */
    public ReplicatedLockStore(RedisLockStore locks, RedisLockConnection second, int enough, Duration limit) {
        if (enough < 1) {
            throw new IllegalArgumentException("At least one replica has to acknowledge a lock, not " + enough);
        }
        this.locks = locks;
        this.witness = locks.beside(second);
        this.replicas = witness.replicas(enough, limit);
        this.enough = enough;
        this.limit = limit;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        return locks.acquire(claim, ttl, patience)
                .thenCompose(attempt -> attempt instanceof Granted granted
                        ? acknowledged(claim, granted).thenApply(known -> (AcquireResult) known)
                        : CompletableFuture.completedFuture(withNews(claim, (Refused) attempt)));
    }

    /** A queued claim whose grant was not acknowledged asks again, finds the grant and asks the replicas again. */
    private Refused withNews(Claim claim, Refused refused) {
        CompletionStage<Optional<Granted>> news = refused.grantNotification()
                .thenCompose(grant -> grant.isEmpty()
                        ? CompletableFuture.completedFuture(grant)
                        : acknowledged(claim, grant.get())
                                .thenApply(Optional::of)
                                .exceptionally(tooFew -> Optional.empty()));
        return new Refused(refused.retryAfter(), refused.queued(), news);
    }

    /**
     * First makes sure that the master that is asked about its replicas is the one that has the lock: after a change of
     * the master the second connection may have found the new one before the first did.
     */
    private CompletionStage<Granted> acknowledged(Claim claim, Granted granted) {
        return witness.extend(claim, granted.token(), granted.remaining())
                .thenCompose(left -> {
                    if (left.isZero()) {
                        throw StoreException.unknown(
                                "the lock is not at the master whose replicas would have to have it", null);
                    }
                    return replicas.count(claim.id());
                })
                .handle((count, failure) -> {
                    if (failure != null) {
                        throw StoreException.unknown(
                                "it is not known whether replicas have the lock: "
                                        + RedisReplies.failure(failure).getMessage(),
                                failure);
                    }
                    return requireEnough(granted, count);
                });
    }

    private Granted requireEnough(Granted granted, long count) {
        if (count < enough) {
            throw StoreException.unknown(
                    "%d of %d replicas acknowledged the lock within %d ms".formatted(count, enough, limit.toMillis()),
                    null);
        }
        return granted;
    }

    @Override
    public CompletionStage<Long> drawToken(Claim claim) {
        return locks.drawToken(claim);
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        return locks.extend(claim, token, ttl);
    }

    @Override
    public PreparedBatchExtension prepareExtension(List<Claim> claims, long token, Duration ttl) {
        return locks.prepareExtension(claims, token, ttl);
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        return locks.release(claim);
    }

    @Override
    public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
        return locks.releaseAfter(claim, time);
    }

    @Override
    public CompletionStage<Optional<StoredLock>> find(String id) {
        return locks.find(id);
    }

    @Override
    public CompletionStage<Page> list(@Nullable String cursor, int limit) {
        return locks.list(cursor, limit);
    }

    @Override
    public Optional<String> storeKey(String id) {
        return locks.storeKey(id);
    }

    @Override
    public Map<String, String> description() {
        return locks.description();
    }

    @Override
    public Optional<String> problem() {
        return locks.problem();
    }

    @Override
    public CompletionStage<Release> forceRelease(Claim claim) {
        return locks.forceRelease(claim);
    }

    @Override
    public CompletionStage<Boolean> replace(Claim claim, String owner, Duration lease) {
        return locks.replace(claim, owner, lease);
    }

    @Override
    public void onForceReleased(Consumer<Predicate<String>> hook) {
        locks.onForceReleased(hook);
    }

    @Override
    public Optional<ClientRoster> roster() {
        return locks.roster();
    }

    @Override
    public StoreLimits limits() {
        return locks.limits();
    }

    /** Completes when both connections have been opened. */
    @Override
    public CompletionStage<?> ready() {
        return locks.ready().thenCombine(witness.ready(), (one, other) -> one);
    }

    @Override
    public void onReachable(Runnable hook) {
        locks.onReachable(hook);
    }

    @Override
    public void close() {
        witness.close();
        locks.close();
    }
}
