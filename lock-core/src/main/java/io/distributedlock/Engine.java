package io.distributedlock;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockMode;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Where the parts of a lock's life meet: tries become held locks, held locks are renewed, and end in a release or a loss. */
final class Engine implements AcquireContext, LeaseContext {

    private final PendingCalls pending;
    private final Owners owners;
    private final LockStore store;
    private final Timeline time;
    private final WaitStrategy waiting;
    private final Callbacks callbacks;
    private final Notifier notifier;
    private final Tally tally;
    private final StoreCalls calls;
    private final Endings endings;
    private final LocalQueue local;
    private final Renewal renewal;
    private final HolderCheck holders;
    private final Tenures tenures;
    private final Watchdog watchdog;
    private final Reaper reaper;
    private final Suspensions suspensions;
    private final ReleaseMode releases;

    Engine(
            LockStore store,
            Timeline time,
            WaitStrategy waiting,
            Callbacks callbacks,
            Notifier notifier,
            EngineSettings settings) {
        this.store = store;
        this.time = time;
        this.releases = settings.releases();
        this.waiting = waiting;
        this.callbacks = callbacks;
        this.notifier = notifier;
        this.owners = new Owners(time);
        this.tally = new Tally(time);
        this.pending = new PendingCalls(time);
        this.calls = new StoreCalls(time);
        this.suspensions = new Suspensions(time, this::revalidateSoon);
        this.holders = new HolderCheck(notifier, settings.longHold());
        this.renewal = new Renewal(store, calls, time, suspensions, tally, notifier, holders);
        this.tenures = new Tenures();
        this.watchdog = new Watchdog(store, time, tenures, renewal, holders);
        this.reaper = new Reaper(store, time, tally);
        this.endings = new Endings(store, calls, time, tenures, reaper, notifier, callbacks);
        this.local = new LocalQueue(time, endings, settings.queueing());
    }

    /** @param thread the thread that waits for the lock; null if nobody blocks */
    Contender acquire(Terms terms, @Nullable Thread thread) {
        if (!store.limits().modes().contains(terms.mode())) {
            throw new UnsupportedOperationException("Lock '" + terms.id().display() + "' is wanted " + terms.mode()
                    + ", which this lock store does not have. Take it exclusively, or use another store");
        }
        requireAllowedLease(terms);
        Contender contender = new Contender(this, local, terms, thread);
        contender.start();
        if (!contender.result().isDone()) {
            pending.add(contender);
        }
        return contender;
    }

    /** Before anything is sent, because a long lease begins with a short one, which the store would grant. */
    private void requireAllowedLease(Terms terms) {
        Duration ttl = terms.lease().ttl();
        Duration longest = store.limits().longestLease().orElse(ttl);
        if (ttl.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "Lock '%s' is requested with a lease of %d ms, but its store allows %d ms at most. Use a shorter ttl; in a quorum, distributed-lock.quorum.restart-quarantine is the limit"
                            .formatted(terms.id().display(), ttl.toMillis(), longest.toMillis()));
        }
    }

    @Override
    public Claim newClaim(Terms terms) {
        return new Claim(terms.id().encoded(), owners.next(), terms.mode());
    }

    /** The store has granted a lock to this process. */
    @Override
    public HeldLock hold(Grant grant, Duration waited, boolean contended) {
        Tenure tenure = new Tenure(this, grant);
        try {
            HeldLock lock = new HeldLock(tenure, 0, grant.lease().maxHold());
            tenure.begin(lock.hold());
            if (!tenure.isShared()) {
                local.granted(tenure);
            }
            acquired(lock, waited, contended);
            watchdog.watch(tenure, grant.direct() ? time.now() : grant.sentAt());
            return lock;
        } catch (RuntimeException | Error failure) {
            tenures.end(tenure);
            local.over(tenure);
            throw failure;
        }
    }

    @Override
    public void acquired(HeldLock lock, Duration waited, boolean contended) {
        LockMode mode = lock.hold().tenure().claim().mode();
        notifier.tell(new LockEvent.Acquired(lock.name(), lock.key(), mode, lock.fencingToken(), waited, contended));
    }

    @Override
    public void notAcquired(LockException reason, LockMode mode, Duration waited) {
        notifier.tell(new LockEvent.NotAcquired(reason.lockName(), reason.lockKey(), mode, waited, reason));
    }

    @Override
    public void limited(Tenure tenure) {
        renewal.planNext(tenure, time.now());
    }

    @Override
    public void after(Tenure tenure, Runnable cleanUp) {
        endings.after(tenure, cleanUp);
    }

    @Override
    public void reap(Claim claim, Lease lease, Duration promised) {
        endings.reap(claim, lease, promised);
    }

    @Override
    public void due(Tenure tenure) {
        tally.late(tenure.overdue());
        watchdog.check(tenure);
    }

    @Override
    public void release(Hold hold) {
        local.release(hold);
    }

    @Override
    public void lost(Hold hold, LossReason reason) {
        endings.lost(hold, reason);
    }

    @Override
    public void over(Tenure tenure) {
        local.over(tenure);
    }

    @Override
    public CompletableFuture<Boolean> extend(Hold hold, Duration ttl) {
        return renewal.extend(hold, ttl);
    }

    @Override
    public void interruptAtLoss(Hold hold, Runnable interrupt) {
        endings.interruptAtLoss(hold, interrupt);
    }

    @Override
    public void interruptNoMore(Hold hold) {
        endings.interruptNoMore(hold);
    }

    private void revalidateSoon() {
        watchdog.revalidateSoon();
    }

    /**
     * Fails everybody who waits, leaves what is held to the work under it for {@code patience}, and then loses the rest. Whoever was handed a
     * lock just before holds it. Completes when nothing is held and nothing is left to clean up; a second look
     * finds what was on its way at the first.
     */
    CompletableFuture<Void> drain(Duration patience) {
        owners.drop();
        pending.all().forEach(contender -> contender.end(Failures.closed(contender.id())));
        Timeline.Timer end = patience.isZero() ? Timeline.Timer.NONE : time.after(patience, this::loseAll);
        List<CompletableFuture<Void>> ends = endsOfHolds();
        if (patience.isZero()) {
            loseAll();
        }
        return settled(ends).thenCompose(done -> {
            end.cancel();
            List<CompletableFuture<Void>> late = endsOfHolds();
            loseAll();
            return settled(late);
        });
    }

    /** In this order, so that a release that begins is in one of the two. */
    private List<CompletableFuture<Void>> endsOfHolds() {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        watchdog.holds().forEach(hold -> ends.add(hold.ended()));
        endings.underWay().forEach(hold -> ends.add(hold.ended()));
        return ends;
    }

    private CompletableFuture<Void> settled(List<CompletableFuture<Void>> ends) {
        return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> reaper.flushed())
                .thenCompose(flushed -> flushed);
    }

    /** Tells every holder that its lock is lost, because the client is shut down. */
    void loseAll() {
        watchdog.loseAll(LossReason.CLOSED);
    }

    void close() {
        time.close();
        notifier.close();
    }

    /** The handles that somebody still has. */
    List<LockHandle> held() {
        return watchdog.held().stream()
                .<LockHandle>mapMulti((hold, handles) -> {
                    HeldLock handle = hold.get();
                    if (handle != null) {
                        handles.accept(handle);
                    }
                })
                .toList();
    }

    /** The acquisitions that have not ended. */
    Collection<Contender> running() {
        return pending.all();
    }

    long droppedEvents() {
        return notifier.dropped();
    }

    @Override
    public Tally tally() {
        return tally;
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
    public Timeline time() {
        return time;
    }

    @Override
    public WaitStrategy waiting() {
        return waiting;
    }

    LocalQueue local() {
        return local;
    }

    @Override
    public Suspensions suspensions() {
        return suspensions;
    }

    HolderCheck holders() {
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
