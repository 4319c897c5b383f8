package io.distributedlock.internal.store;

import io.distributedlock.LockStatistics.Ambiguity;
import io.distributedlock.internal.event.EngineCounters;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.Release;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes back what may have been written for claims without a holder: it repeats the release of each until the store
 * has said that it is done, or until whatever was written has expired by itself.
 */
public final class Reaper {

    /** More entries than this are not kept: the one nearest to its expiry is left to expire. */
    static final int CAPACITY = 10_000;

    private final Map<Claim, ReaperEntry> entries = new ConcurrentHashMap<>();
    /** All entries, the one nearest to its expiry first. */
    private final ConcurrentSkipListSet<ReaperEntry> byExpiry = new ConcurrentSkipListSet<>();

    private final AtomicLong adopted = new AtomicLong();
    private final LockStore store;
    private final Scheduler time;
    private final EngineCounters counters;
    private final RecentReleases released;

    public Reaper(LockStore store, Scheduler time, EngineCounters counters) {
        this.store = store;
        this.time = time;
        this.counters = counters;
        this.released = new RecentReleases(store, time);
        store.onReachable(
                () -> time.after(Duration.ZERO, () -> PacedSteps.forEach(time, entries.values(), ReaperEntry::tryNow)));
    }

    /**
     * Starts cleaning up. If that is under way, it takes in what was sent for the claim meanwhile: a release that was
     * sent before ends it no more.
     */
    public void adopt(Cleanup cleanup) {
        ReaperEntry fresh = new ReaperEntry(this, cleanup, adopted.incrementAndGet());
        ReaperEntry entry =
                entries.merge(cleanup.claim(), fresh, (present, other) -> present.startOver(cleanup) ? present : other);
        if (entry == fresh) {
            byExpiry.add(entry);
        }
        entry.tryNow();
        if (entry.ended().isDone()) {
            byExpiry.remove(entry);
        }
        makeRoom();
    }

    private void makeRoom() {
        ReaperEntry nearest = entries.size() > CAPACITY ? byExpiry.pollFirst() : null;
        if (nearest != null) {
            nearest.end(Ambiguity.DROPPED);
        }
    }

    void ended(ReaperEntry entry, Claim claim, Ambiguity how, long expiresAt) {
        entries.remove(claim, entry);
        byExpiry.remove(entry);
        counters.resolved(how);
        if (how == Ambiguity.CLEANED) {
            released(claim, time.until(expiresAt));
        }
    }

    /**
     * The store has confirmed that the claim is released.
     *
     * @param leaseLeft for how much longer the claim would have held its lock at most
     */
    public void released(Claim claim, Duration leaseLeft) {
        released.add(claim, leaseLeft);
    }

    CompletableFuture<Release> release(Claim claim) {
        return store.release(claim).toCompletableFuture();
    }

    Scheduler time() {
        return time;
    }

    public int size() {
        return entries.size();
    }

    /** Completes when nothing is left to clean up. */
    public CompletableFuture<Void> flushed() {
        CompletableFuture<?>[] pending =
                entries.values().stream().map(ReaperEntry::ended).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(pending);
    }
}
