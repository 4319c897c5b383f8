package io.distributedlock.internal.client;

import io.distributedlock.LockEvent;
import io.distributedlock.LockException;
import io.distributedlock.LockHandle;
import io.distributedlock.LockMode;
import io.distributedlock.LossReason;
import io.distributedlock.ReleaseMode;
import io.distributedlock.internal.acquire.AcquireContext;
import io.distributedlock.internal.acquire.LocalQueue;
import io.distributedlock.internal.acquire.LockWaiter;
import io.distributedlock.internal.acquire.PendingCalls;
import io.distributedlock.internal.acquire.WaitStrategy;
import io.distributedlock.internal.event.Callbacks;
import io.distributedlock.internal.event.EngineCounters;
import io.distributedlock.internal.event.EventDispatcher;
import io.distributedlock.internal.lease.FencingTokens;
import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LeaseContext;
import io.distributedlock.internal.lease.LeaseGrant;
import io.distributedlock.internal.lease.LeaseRegistry;
import io.distributedlock.internal.lease.LeaseTermination;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.lease.ResolvedRequest;
import io.distributedlock.internal.lease.SingleLockHandle;
import io.distributedlock.internal.renewal.LeaseRenewer;
import io.distributedlock.internal.renewal.StuckHolderDetector;
import io.distributedlock.internal.renewal.Watchdog;
import io.distributedlock.internal.store.ClientPresence;
import io.distributedlock.internal.store.IncidentLog;
import io.distributedlock.internal.store.OwnerIds;
import io.distributedlock.internal.store.Reaper;
import io.distributedlock.internal.store.StoreCalls;
import io.distributedlock.internal.support.ExceptionMessages;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.internal.time.SuspendDetector;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Wires the components of one lock client: acquisition, local queue, renewal, termination and clean-up. */
public final class Engine implements AcquireContext, LeaseContext {

    private final PendingCalls pending;
    private final OwnerIds owners;
    private final ClientPresence presence;
    private final IncidentLog incidents;
    private final Refusals refusals;
    private final LockStore store;
    private final Scheduler time;
    private final WaitStrategy waiting;
    private final Callbacks callbacks;
    private final EventDispatcher notifier;
    private final EngineCounters counters;
    private final StoreCalls calls;
    private final LeaseTermination termination;
    private final LocalQueue local;
    private final LeaseRenewer renewal;
    private final StuckHolderDetector holders;
    private final LeaseRegistry heldLeases;
    private final Watchdog watchdog;
    private final FencingTokens tokens;
    private final Reaper reaper;
    private final SuspendDetector suspensions;
    private final ReleaseMode releases;

    Engine(
            LockStore store,
            Scheduler time,
            WaitStrategy waiting,
            Callbacks callbacks,
            EventDispatcher notifier,
            EngineSettings settings) {
        this.store = store;
        this.time = time;
        this.releases = settings.releases();
        this.waiting = waiting;
        this.callbacks = callbacks;
        this.notifier = notifier;
        this.owners = new OwnerIds(time);
        this.presence = new ClientPresence(store, settings.identity(), owners, time);
        this.incidents = new IncidentLog(store, settings.identity(), time);
        if (presence.isPublished()) {
            notifier.alsoNote(incidents::concerns, incidents::note);
        }
        this.counters = new EngineCounters(time);
        this.pending = new PendingCalls(time);
        this.calls = new StoreCalls(time);
        this.refusals = new Refusals(store, calls, time, presence);
        this.suspensions = new SuspendDetector(time, this::revalidateSoon);
        this.holders = new StuckHolderDetector(notifier, settings.longHold());
        this.renewal = new LeaseRenewer(store, calls, time, suspensions, counters, notifier, holders);
        this.heldLeases = new LeaseRegistry();
        this.tokens = new FencingTokens(store, calls);
        this.watchdog = new Watchdog(store, time, heldLeases, renewal, holders);
        this.reaper = new Reaper(store, time, counters);
        this.termination = new LeaseTermination(store, calls, time, heldLeases, reaper, notifier, callbacks);
        this.local = new LocalQueue(time, termination, settings.queueing());
    }

    /** @param thread the thread that waits for the lock; null if no thread blocks */
    public LockWaiter acquire(ResolvedRequest terms, @Nullable Thread thread) {
        if (!store.limits().modes().contains(terms.mode())) {
            throw new UnsupportedOperationException("Lock '" + terms.id().display() + "' is wanted " + terms.mode()
                    + ", which this lock store does not have. Take it exclusively, or use another store");
        }
        requireAllowedLease(terms);
        LockWaiter waiter = new LockWaiter(this, local, terms, thread);
        waiter.start();
        if (!waiter.result().isDone()) {
            pending.add(waiter);
        }
        return waiter;
    }

    /** Before anything is sent, because a long lease begins with a short one, which the store would grant. */
    private void requireAllowedLease(ResolvedRequest terms) {
        Duration ttl = terms.lease().stored(terms.lease().ttl());
        Duration longest = store.limits().longestLease().orElse(ttl);
        if (ttl.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    ("Lock '%s' is requested with a lease of %d ms, but its store allows %d ms at most. Use a shorter"
                                    + " ttl or stop margin; in a quorum, distributed-lock.quorum.restart-quarantine is"
                                    + " the limit")
                            .formatted(terms.id().display(), ttl.toMillis(), longest.toMillis()));
        }
    }

    @Override
    public Claim newClaim(ResolvedRequest terms) {
        String owner = owners.next();
        presence.begin();
        return new Claim(terms.id().encoded(), owner, terms.mode(), terms.fenced());
    }

    /** An owner of this client that keeps a lock closed, and is no call's. */
    String closingOwner() {
        String owner = owners.next();
        presence.begin();
        return owner;
    }

    /** The store has granted a lock to this process. */
    @Override
    public SingleLockHandle hold(LeaseGrant grant, Duration waited, boolean contended) {
        HeldLease heldLease = new HeldLease(this, grant);
        try {
            SingleLockHandle lock =
                    new SingleLockHandle(heldLease, 0, grant.lease().maxHold());
            heldLease.begin(lock.hold());
            if (!heldLease.isShared()) {
                local.granted(heldLease);
            }
            acquired(lock, waited, contended);
            watchdog.watch(heldLease, grant.direct() ? time.now() : grant.sentAt());
            return lock;
        } catch (RuntimeException | Error failure) {
            heldLeases.end(heldLease);
            local.over(heldLease);
            throw failure;
        }
    }

    @Override
    public void acquired(SingleLockHandle lock, Duration waited, boolean contended) {
        LockMode mode = lock.hold().heldLease().claim().mode();
        notifier.tell(new LockEvent.Acquired(
                lock.name(), lock.key(), mode, lock.hold().fencingToken(), waited, contended));
    }

    @Override
    public void notAcquired(LockException reason, LockMode mode, Duration waited) {
        notifier.tell(new LockEvent.NotAcquired(reason.lockName(), reason.lockKey(), mode, waited, reason));
    }

    @Override
    public void limited(HeldLease heldLease) {
        renewal.planNext(heldLease, time.now());
    }

    @Override
    public void after(HeldLease heldLease, Runnable cleanUp) {
        termination.after(heldLease, cleanUp);
    }

    @Override
    public void reap(Claim claim, LeaseTerms lease, Duration promised) {
        termination.reap(claim, lease, promised);
    }

    @Override
    public void due(HeldLease heldLease) {
        counters.late(heldLease.overdue());
        watchdog.check(heldLease);
    }

    @Override
    public void release(LockHold hold) {
        local.release(hold);
    }

    @Override
    public void lost(LockHold hold, LossReason reason) {
        termination.lost(hold, reason);
    }

    @Override
    public void over(HeldLease heldLease) {
        local.over(heldLease);
    }

    @Override
    public CompletableFuture<Boolean> extend(LockHold hold, Duration ttl) {
        return renewal.extend(hold, ttl);
    }

    @Override
    public CompletableFuture<Long> fencingToken(LockHold hold) {
        return tokens.of(hold);
    }

    @Override
    public void interruptAtLoss(LockHold hold, Runnable interrupt) {
        termination.interruptAtLoss(hold, interrupt);
    }

    @Override
    public void interruptNoMore(LockHold hold) {
        termination.interruptNoMore(hold);
    }

    private void revalidateSoon() {
        watchdog.revalidateSoon();
    }

    /**
     * Fails all calls that wait, leaves what is held to the work under it for {@code patience}, and then loses the
     * rest. A caller that was handed a lock just before holds it. Completes when nothing is held and nothing is left to
     * clean up; a second look finds what was on its way at the first.
     *
     * @return to be cancelled before anything can be acquired again: what is held then is not lost
     */
    CompletableFuture<Void> drain(Duration patience) {
        CompletableFuture<Void> drained = new CompletableFuture<>();
        Runnable loss = () -> watchdog.loseAll(LossReason.CLOSED, () -> !drained.isCancelled());
        owners.drop();
        pending.all().forEach(waiter -> waiter.end(ExceptionMessages.closed(waiter.id())));
        Scheduler.Timer end = patience.isZero() ? Scheduler.Timer.NONE : time.after(patience, loss);
        List<CompletableFuture<Void>> ends = endsOfHolds();
        if (patience.isZero()) {
            loss.run();
        }
        settled(ends)
                .thenCompose(done -> {
                    end.cancel();
                    List<CompletableFuture<Void>> late = drained.isCancelled() ? List.of() : endsOfHolds();
                    loss.run();
                    return settled(late);
                })
                .whenComplete((done, failure) -> {
                    presence.end();
                    drained.complete(null);
                });
        return drained;
    }

    /** In this order, so that a release that begins is in one of the two. */
    private List<CompletableFuture<Void>> endsOfHolds() {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        watchdog.holds().forEach(hold -> ends.add(hold.ended()));
        termination.underWay().forEach(hold -> ends.add(hold.ended()));
        return ends;
    }

    private CompletableFuture<Void> settled(List<CompletableFuture<Void>> ends) {
        return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> reaper.flushed())
                .thenCompose(flushed -> flushed);
    }

    /** Notifies every holder that its lock is lost, because the client is shut down. */
    void loseAll() {
        watchdog.loseAll(LossReason.CLOSED, () -> true);
    }

    void close() {
        time.close();
        notifier.close();
    }

    /** The handles that are still referred to. */
    List<LockHandle> held() {
        return watchdog.held().stream()
                .<LockHandle>mapMulti((hold, handles) -> {
                    SingleLockHandle handle = hold.get();
                    if (handle != null) {
                        handles.accept(handle);
                    }
                })
                .toList();
    }

    /** The acquisitions that have not ended. */
    Collection<LockWaiter> running() {
        return pending.all();
    }

    long droppedEvents() {
        return notifier.dropped();
    }

    @Override
    public EngineCounters counters() {
        return counters;
    }

    int unresolved() {
        return reaper.size();
    }

    @Override
    public CompletableFuture<?> ready() {
        try {
            return store.ready().toCompletableFuture();
        } catch (RuntimeException | Error thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    @Override
    public LockStore store() {
        return store;
    }

    @Override
    public Scheduler time() {
        return time;
    }

    @Override
    public WaitStrategy waiting() {
        return waiting;
    }

    Refusals refusals() {
        return refusals;
    }

    IncidentLog incidents() {
        return incidents;
    }

    LocalQueue local() {
        return local;
    }

    @Override
    public SuspendDetector suspensions() {
        return suspensions;
    }

    StuckHolderDetector holders() {
        return holders;
    }

    Watchdog watchdog() {
        return watchdog;
    }

    @Override
    public StoreCalls calls() {
        return calls;
    }

    @Override
    public ReleaseMode releases() {
        return releases;
    }

    @Override
    public Callbacks callbacks() {
        return callbacks;
    }
}
