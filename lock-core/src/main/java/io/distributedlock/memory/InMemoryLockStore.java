package io.distributedlock.memory;

import io.distributedlock.spi.Attempt;
import io.distributedlock.spi.Attempt.Granted;
import io.distributedlock.spi.Attempt.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Locks in a map of this process, with leases that run out by the monotonic clock.
 *
 * <p>Guarantees the same as every store, as long as all contenders share this object. It excludes nobody in another process, and it forgets
 * everything when the process ends.
 */
public final class InMemoryLockStore implements LockStore {

    private static final int ACQUIRES_BETWEEN_SWEEPS = 1_024;

    private final Map<String, Lease> leases = new ConcurrentHashMap<>();
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
    public CompletionStage<Attempt> acquire(Claim claim, Duration ttl) {
        if (acquires.incrementAndGet() % ACQUIRES_BETWEEN_SWEEPS == 0) {
            leases.values().removeIf(lease -> lease.remaining(nanoTime).isZero());
        }
        CompletableFuture<Optional<Granted>> ended = new CompletableFuture<>();
        long until = nanoTime.getAsLong() + ttl.toNanos();
        Lease current = leases.compute(
                claim.id(),
                (id, held) ->
                        isLive(held) ? held : new Lease(claim.owner(), lastToken.incrementAndGet(), until, ended));
        return CompletableFuture.completedFuture(answer(claim, current, current.ended() == ended));
    }

    private Attempt answer(Claim claim, Lease current, boolean fresh) {
        if (current.owner().equals(claim.owner())) {
            return new Granted(current.token(), current.remaining(nanoTime), fresh);
        }
        return new Refused(current.remaining(nanoTime), current.ended().copy());
    }

    @Override
    public CompletionStage<Boolean> extend(Claim claim, long token, Duration ttl) {
        lastToken.accumulateAndGet(token, Math::max);
        long until = nanoTime.getAsLong() + ttl.toNanos();
        Lease now = leases.computeIfPresent(claim.id(), (id, held) -> isHeldBy(claim, held) ? held.until(until) : held);
        return CompletableFuture.completedFuture(isHeldBy(claim, now));
    }

    @Override
    public CompletionStage<Release> release(Claim claim) {
        Lease held;
        do {
            held = leases.get(claim.id());
            if (held == null || !isHeldBy(claim, held)) {
                return CompletableFuture.completedFuture(new Release(false, true));
            }
        } while (!leases.remove(claim.id(), held));
        held.ended().complete(Optional.empty());
        return CompletableFuture.completedFuture(new Release(true, true));
    }

    private boolean isHeldBy(Claim claim, @Nullable Lease lease) {
        return lease != null && isLive(lease) && lease.owner().equals(claim.owner());
    }

    private boolean isLive(@Nullable Lease lease) {
        return lease != null && !lease.remaining(nanoTime).isZero();
    }

    @Override
    public void close() {
        leases.clear();
    }

    private record Lease(String owner, long token, long until, CompletableFuture<Optional<Granted>> ended) {

        Lease until(long later) {
            return later - until > 0 ? new Lease(owner, token, later, ended) : this;
        }

        Duration remaining(LongSupplier nanoTime) {
            return Duration.ofNanos(Math.max(0, until - nanoTime.getAsLong()));
        }
    }
}
