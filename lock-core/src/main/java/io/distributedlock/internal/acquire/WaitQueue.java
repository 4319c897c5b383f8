package io.distributedlock.internal.acquire;

import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.lease.SingleLockHandle;
import io.distributedlock.internal.support.Durations;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everybody in this process who wants one lock: one of them deals with the store, or holds what it has granted; the
 * others wait, in the order of their arrival.
 *
 * <p>Some do not wait for the lock any more, or never did, and only for the answer that the store gives to the one who
 * asks: its followers. No waiter is refused without an answer of the store.
 *
 * <p>Between two turns a lease can lie open. The first waiter has been woken then, and until it runs, threads that run
 * already may take the lock in front of it, {@value #MAX_BARGES} times in all.
 *
 * <p>Not for use by several threads at once: {@link LocalQueue} guards it.
 */
final class WaitQueue {

    static final int MAX_BARGES = 32;

    /** For how long a lease is passed on from its grant before it goes back to the store. */
    static final Duration SLICE = Duration.ofMillis(2);

    private static final Set<LockWaiter> NONE = Collections.emptySet();

    private final Scheduler time;
    private @Nullable LockWaiter asking;
    private @Nullable HeldLease heldLease;
    private Set<LockWaiter> waiting = NONE;
    private Set<LockWaiter> followers = NONE;
    private Set<LockWaiter> sharing = NONE;
    private boolean askedInVain;
    private boolean resigned;
    private boolean open;
    private boolean limited;
    private long openedAt;
    private boolean passedOn;
    private int barges;
    private long grantedAt;
    private boolean everHeld;
    private long heldAt;

    /** @param heldLease what this process holds already; null if nothing */
    WaitQueue(Scheduler time, @Nullable HeldLease heldLease) {
        this.time = time;
        this.heldLease = heldLease;
        this.grantedAt = startOf(heldLease);
    }

    /** When its first turn began; whatever if it has ended. */
    private static long startOf(@Nullable HeldLease heldLease) {
        LockHold first = heldLease == null ? null : heldLease.hold();
        return first == null ? 0 : first.since();
    }

    /**
     * The least that has to be remembered: nothing if it is idle, a lease with its first holder that has no waiters,
     * or all of it.
     */
    @Nullable
    Object reduced() {
        return asking != null || waiters() > 0 || open || passedOn ? this : heldLease;
    }

    /** No call of this process holds the lock or deals with the store. */
    boolean isUnattended() {
        return asking == null && heldLease == null;
    }

    int waiters() {
        return waiting.size() + followers.size() + sharing.size();
    }

    /** All who wait for the lock, the first one first. */
    Collection<LockWaiter> waiting() {
        return waiting;
    }

    @Nullable
    LockWaiter first() {
        return waiting.isEmpty() ? null : waiting.iterator().next();
    }

    boolean isWaiting(LockWaiter waiter) {
        return waiting.contains(waiter);
    }

    void append(LockWaiter waiter) {
        waiting = with(waiting, waiter);
        resigned = false;
    }

    /** From now on it waits for nothing but the store's answer to the one who asks. */
    void follow(LockWaiter waiter) {
        waiting.remove(waiter);
        followers = with(followers, waiter);
    }

    Collection<LockWaiter> followers() {
        return followers;
    }

    /** Returns whether it waited here. */
    boolean remove(LockWaiter waiter) {
        return waiting.remove(waiter) || followers.remove(waiter) || sharing.remove(waiter);
    }

    /**
     * It wants a share of the lock, deals with the store itself, and was refused there: it is counted, and has no place
     * in this line.
     */
    void waitsSharing(LockWaiter waiter) {
        sharing = with(sharing, waiter);
    }

    boolean isSharing(LockWaiter waiter) {
        return sharing.contains(waiter);
    }

    private static Set<LockWaiter> with(Set<LockWaiter> some, LockWaiter waiter) {
        Set<LockWaiter> all = some == NONE ? new LinkedHashSet<>() : some;
        all.add(waiter);
        return all;
    }

    /**
     * The waiter that is to ask the store next, in a line where none does: the first one. But if the store has just
     * refused or not answered one of this line, it is not asked for those who have hardly any time left: many who came
     * together end together, and would take the lead from each other with two commands each time. Then a waiter asks
     * that stays for a while.
     */
    @Nullable
    LockWaiter nextToAsk() {
        LockWaiter next = resigned ? null : worthAsking(time.now());
        resigned = next == null && !waiting.isEmpty();
        return next != null || followers.isEmpty() ? next : followers.iterator().next();
    }

    private @Nullable LockWaiter worthAsking(long now) {
        LockWaiter first = first();
        if (first == null || !askedInVain || !first.isAlmostOver(now)) {
            return first;
        }
        LockWaiter longest = first;
        for (LockWaiter each : waiting) {
            if (!each.isNearItsEnd(now)) {
                return each;
            }
            longest = each.deadline() - longest.deadline() > 0 ? each : longest;
        }
        return longest.isAlmostOver(now) ? null : longest;
    }

    @Nullable
    LockWaiter asking() {
        return asking;
    }

    /** From now on this one deals with the store. */
    void letAsk(LockWaiter waiter) {
        asking = waiter;
        resigned = false;
    }

    /**
     * The one who dealt with the store does so no more.
     *
     * @param inVain whether the store has refused it, or has not answered
     */
    void hasAsked(boolean inVain) {
        asking = null;
        askedInVain = inVain;
    }

    @Nullable
    HeldLease heldLease() {
        return heldLease;
    }

    /** Whether the lock is known to be held: this process, or, by the latest answer of the store, another one. */
    boolean isHeld() {
        return heldLease != null || (asking != null && asking.isRefused());
    }

    /** Whether the lock is known to have been held at {@code instant} or later. */
    boolean wasHeldSince(long instant) {
        return isHeld() || (everHeld && heldAt - instant >= 0);
    }

    /** The store has granted the lock to this process, which passes it on while its slice lasts. */
    void granted(HeldLease granted) {
        hasAsked(false);
        heldLease = granted;
        grantedAt = startOf(granted);
        open = false;
        passedOn = false;
        barges = 0;
    }

    /** The lease goes back to the store, or is over. */
    void forget(HeldLease ended) {
        if (heldLease == ended) {
            heldLease = null;
            open = false;
            passedOn = false;
            askedInVain = false;
            resigned = false;
            seenHeld();
        }
    }

    /** An owner here or elsewhere has held the lock until now. */
    void seenHeld() {
        everHeld = true;
        heldAt = time.now();
    }

    /** The lease that lies open; null if it has a holder, or if there is none. */
    @Nullable
    HeldLease openLease() {
        return open ? heldLease : null;
    }

    /** Whether a call may still take an open lease in front of the first waiter. */
    boolean allowsBarging() {
        return barges < MAX_BARGES;
    }

    /**
     * The last turn has ended; the first call to come has the next one. Returns whether a timer limits already for how
     * long anything lies open.
     */
    boolean open() {
        open = true;
        openedAt = time.now();
        boolean before = limited;
        limited = true;
        return before;
    }

    long openedAt() {
        return openedAt;
    }

    void isLimitedNoMore() {
        limited = false;
    }

    /** The waiter that was woken has not come: others are served before it. */
    void firstGoesLast() {
        LockWaiter first = first();
        if (first != null) {
            waiting.remove(first);
            waiting.add(first);
        }
    }

    /** At the end of a turn: whether {@code next} may go on with the lease, or the store has to be asked. */
    boolean isPassedOn(LockHold ended, LockWaiter next) {
        return heldLease == ended.heldLease()
                && time.since(grantedAt).compareTo(SLICE) < 0
                && ended.turn() < LockHold.MAX_TURN
                && fits(ended.heldLease(), next);
    }

    /**
     * A lease is passed on among callers with the same ttl, unless it has to be kept after its release, or its last
     * holder has extended an explicit one: the next holder would keep the lock for longer than its own ttl. It has to
     * be sound, and a third of its first part has to be left, so that the next holder does not begin at the end of it;
     * and to have a fencing token, if the next holder wants one.
     */
    boolean fits(HeldLease held, LockWaiter next) {
        LeaseTerms lease = held.lease();
        LeaseTerms wanted = next.terms().lease();
        Duration full = Durations.min(lease.ttl(), LockStore.LONGEST_DIRECT_LEASE);
        return lease.renewed() == wanted.renewed()
                && (lease.renewed() || held.longestTtl().compareTo(lease.ttl()) <= 0)
                && (held.serverToken() != LockHold.NO_TOKEN || !next.terms().fenced())
                && lease.minHold() == null
                && wanted.minHold() == null
                && lease.ttl().equals(wanted.ttl())
                && !held.isAtRisk()
                && time.until(held.safeUntil()).compareTo(Durations.part(full, 3)) >= 0;
    }

    /** The next turn, of one who waited or of one who came by; null if the lease has ended, or does not fit. */
    @Nullable
    SingleLockHandle pass(HeldLease present, LockWaiter next) {
        LockHold last = fits(present, next) ? present.hold() : null;
        if (last == null) {
            return null;
        }
        SingleLockHandle lock = new SingleLockHandle(
                present, last.turn() + 1, next.terms().lease().maxHold());
        if (!present.passOn(last, lock.hold())) {
            return null;
        }
        boolean waited = isWaiting(next);
        open = false;
        passedOn = true;
        barges = waited ? 0 : barges + 1;
        return lock;
    }
}
