package io.distributedlock.memory;

import io.distributedlock.LockMode;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockInspection;
import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import io.distributedlock.spi.Release.Outcome;
import io.distributedlock.spi.StoredLock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Locks in a map of this process, with leases that run out by the monotonic clock, and a queue for each.
 *
 * <p>Guarantees the same as every store, as long as all waiters share this object. It excludes no call in another
 * process, and it forgets everything when the process ends.
 */
public final class InMemoryLockStore implements LockStore, LockInspection, LockListing {

    private static final int ACQUIRES_BETWEEN_SWEEPS = 1_024;

    private final Map<String, LockEntry> places = new ConcurrentHashMap<>();
    private final List<Consumer<Predicate<String>>> forceReleaseHooks = new CopyOnWriteArrayList<>();
    private final AtomicLong lastToken = new AtomicLong();
    private final AtomicInteger acquires = new AtomicInteger();
    private final LongSupplier nanoTime;

    public InMemoryLockStore() {
        this(System::nanoTime);
    }

    /** @param nanoTime a monotonic clock in nanoseconds, for tests that move time by hand */
    public InMemoryLockStore(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
        if (acquires.incrementAndGet() % ACQUIRES_BETWEEN_SWEEPS == 0) {
            places.keySet().forEach(id -> at(id, place -> true));
        }
        AcquireResult answer = at(claim.id(), place -> tryAt(place, claim, ttl, patience));
        return CompletableFuture.completedFuture(answer);
    }

    private AcquireResult tryAt(LockEntry place, Claim claim, Duration ttl, Duration patience) {
        long now = nanoTime.getAsLong();
        Lease own = place.heldBy(claim.owner(), now);
        if (own != null) {
            return new Granted(own.token(), own.remaining(now), false);
        }
        if (place.admits(claim, now)) {
            Lease taken = new Lease(lastToken.incrementAndGet(), now + ttl.toNanos());
            place.take(claim, taken);
            return new Granted(taken.token(), taken.remaining(now), true);
        }
        Duration left = place.longest(now);
        boolean queues = !patience.isZero() || place.isQueued(claim.owner());
        return queues
                ? new Refused(
                        left, true, place.enqueue(claim, ttl, now, patience).news())
                : new Refused(left, false, new CompletableFuture<>());
    }

    @Override
    public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
        lastToken.accumulateAndGet(token, Math::max);
        return CompletableFuture.completedFuture(at(claim.id(), place -> {
            long now = nanoTime.getAsLong();
            return place.extend(claim.owner(), now, now + ttl.toNanos());
        }));
    }

    @Override
    public CompletionStage<Boolean> releaseAfter(Claim claim, Duration time) {
        return CompletableFuture.completedFuture(at(claim.id(), place -> {
            long now = nanoTime.getAsLong();
            return place.keep(claim.owner(), now, now + time.toNanos());
        }));
    }

    @Override
    public CompletionStage<Optional<StoredLock>> find(String id) {
        long now = nanoTime.getAsLong();
        return CompletableFuture.completedFuture(at(id, place -> stored(place, now)));
    }

    private static Optional<StoredLock> stored(LockEntry place, long now) {
        List<String> holders = place.holders(now);
        LockMode mode = place.isShared() ? LockMode.SHARED : LockMode.EXCLUSIVE;
        return holders.isEmpty()
                ? Optional.empty()
                : Optional.of(new StoredLock(mode, holders, place.longest(now), place.queued()));
    }

    /** By id; the cursor is the last one of a page. */
    @Override
    public CompletionStage<Page> list(@Nullable String cursor, int limit) {
        long now = nanoTime.getAsLong();
        List<String> ids = places.keySet().stream()
                .filter(id -> cursor == null || id.compareTo(cursor) > 0)
                .sorted()
                .limit(limit + 1L)
                .toList();
        boolean more = ids.size() > limit;
        List<ListedLock> locks = ids.stream()
                .limit(limit)
                .flatMap(id -> at(id, place -> listed(id, place, now)).stream())
                .toList();
        return CompletableFuture.completedFuture(new Page(locks, more ? ids.get(limit - 1) : null, null));
    }

    private static Optional<ListedLock> listed(String id, LockEntry place, long now) {
        return stored(place, now).map(lock -> new ListedLock(id, lock, place.waiting(now)));
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        Passing passing = at(claim.id(), place -> {
            long now = nanoTime.getAsLong();
            Outcome outcome = place.release(claim.owner(), now);
            return new Passing(outcome, now, place.passOn(lastToken::incrementAndGet, now));
        });
        passing.tell();
        return CompletableFuture.completedFuture(new Release(passing.outcome(), true));
    }

    @Override
    public CompletionStage<Release> forceRelease(Claim claim) {
        return release(claim)
                .whenComplete(
                        (release, never) -> forceReleaseHooks.forEach(hook -> hook.accept(claim.owner()::equals)));
    }

    @Override
    public CompletionStage<Boolean> replace(Claim claim, String owner, Duration lease) {
        boolean replaced = at(claim.id(), place -> {
            long now = nanoTime.getAsLong();
            return place.replace(claim.owner(), owner, now, now + lease.toNanos());
        });
        if (replaced) {
            forceReleaseHooks.forEach(hook -> hook.accept(claim.owner()::equals));
        }
        return CompletableFuture.completedFuture(replaced);
    }

    @Override
    public void onForceReleased(Consumer<Predicate<String>> hook) {
        forceReleaseHooks.add(hook);
    }

    /** A release: what it found, and to which claims the lock was granted then. */
    private record Passing(Outcome outcome, long now, List<LockEntry.Grant> grants) {

        void tell() {
            grants.forEach(grant -> grant.waiter().tell(grant.lease(), now));
        }
    }

    /** Changes one lock, one thread at a time, and forgets the lock if it has neither holder nor waiter. */
    private <T> T at(String id, Function<LockEntry, T> step) {
        AtomicReference<@Nullable T> result = new AtomicReference<>();
        places.compute(id, (same, present) -> {
            LockEntry place = present == null ? new LockEntry() : present;
            result.set(step.apply(place));
            return place.isAbandoned(nanoTime.getAsLong()) ? null : place;
        });
        return Objects.requireNonNull(result.get());
    }

    @Override
    public void close() {
        places.clear();
    }
}
