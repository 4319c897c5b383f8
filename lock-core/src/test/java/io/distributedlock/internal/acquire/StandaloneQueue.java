package io.distributedlock.internal.acquire;

import io.distributedlock.LockException;
import io.distributedlock.LockId;
import io.distributedlock.LockMode;
import io.distributedlock.LossReason;
import io.distributedlock.internal.event.EngineCounters;
import io.distributedlock.internal.event.EventDispatcher;
import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LeaseGrant;
import io.distributedlock.internal.lease.LeaseRegistry;
import io.distributedlock.internal.lease.LeaseTermination;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.lease.ResolvedRequest;
import io.distributedlock.internal.lease.SingleLockHandle;
import io.distributedlock.internal.lease.UnattendedLeases;
import io.distributedlock.internal.store.Reaper;
import io.distributedlock.internal.store.StoreCalls;
import io.distributedlock.spi.AcquireResult;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.AcquireResult.Refused;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A local queue without an engine, in front of a store with one lock, which answers at once. */
final class StandaloneQueue extends UnattendedLeases implements AcquireContext {

    /** How long a caller waits between two tries. */
    static final Duration POLL = Duration.ofMillis(10);

    private static final Duration WAIT_TIME = Duration.ofSeconds(1);
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final LeaseTerms TERMS = new LeaseTerms(TTL, true, null, Duration.ofSeconds(1));

    final OneLock store = new OneLock();
    final LeaseRegistry leases = new LeaseRegistry();
    final LocalQueue queue;
    private final EngineCounters counters = new EngineCounters(time);
    private final StoreCalls calls = new StoreCalls(time);
    private final LeaseTermination termination;
    private final AtomicLong owners = new AtomicLong();

    StandaloneQueue(boolean barging) {
        Reaper reaper = new Reaper(store, time, counters);
        EventDispatcher events = new EventDispatcher(List.of());
        termination = new LeaseTermination(store, calls, time, leases, reaper, events, callbacks());
        queue = new LocalQueue(time, termination, new LocalQueueSettings(barging, 10, 10));
    }

    /** A caller that has not joined yet, and would wait for a second. */
    LockWaiter caller() {
        ResolvedRequest wanted = new ResolvedRequest(LockId.of("42", ""), LockMode.EXCLUSIVE, TERMS, WAIT_TIME, false);
        return new LockWaiter(this, queue, wanted, null);
    }

    @Override
    public LockStore store() {
        return store;
    }

    @Override
    public StoreCalls calls() {
        return calls;
    }

    @Override
    public WaitStrategy waiting() {
        return (tries, leaseEndsIn) -> POLL;
    }

    @Override
    public EngineCounters counters() {
        return counters;
    }

    @Override
    public CompletableFuture<?> ready() {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public Claim newClaim(ResolvedRequest terms) {
        return new Claim(terms.id().name(), "owner " + owners.incrementAndGet());
    }

    @Override
    public SingleLockHandle hold(LeaseGrant grant, Duration waited, boolean contended) {
        HeldLease lease = new HeldLease(this, grant);
        SingleLockHandle lock = new SingleLockHandle(lease, 0, null);
        lease.begin(lock.hold());
        queue.granted(lease);
        leases.add(lease);
        return lock;
    }

    @Override
    public void acquired(SingleLockHandle lock, Duration waited, boolean contended) {}

    @Override
    public void limited(HeldLease heldLease) {}

    @Override
    public void notAcquired(LockException reason, LockMode mode, Duration waited) {}

    @Override
    public void reap(Claim claim, LeaseTerms lease, Duration promised) {
        termination.reap(claim, lease, promised);
    }

    @Override
    public void after(HeldLease heldLease, Runnable cleanUp) {
        termination.after(heldLease, cleanUp);
    }

    @Override
    public void release(LockHold hold) {
        queue.release(hold);
    }

    @Override
    public void lost(LockHold hold, LossReason reason) {
        termination.lost(hold, reason);
    }

    @Override
    public void over(HeldLease heldLease) {
        queue.over(heldLease);
    }

    /** Keeps one lock, without a queue and without expiry. */
    static final class OneLock implements LockStore {

        private final AtomicReference<@Nullable Claim> holder = new AtomicReference<>();

        boolean isFree() {
            return holder.get() == null;
        }

        @Override
        public CompletionStage<AcquireResult> acquire(Claim claim, Duration ttl, Duration patience) {
            return CompletableFuture.completedFuture(
                    holder.compareAndSet(null, claim)
                            ? new Granted(1, ttl, true)
                            : new Refused(ttl, false, new CompletableFuture<>()));
        }

        @Override
        public CompletionStage<Release> release(Claim claim) {
            Claim present = holder.get();
            boolean held = claim.equals(present) && holder.compareAndSet(present, null);
            return CompletableFuture.completedFuture(Release.of(held, true));
        }

        @Override
        public CompletionStage<Duration> extend(Claim claim, long token, Duration ttl) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
