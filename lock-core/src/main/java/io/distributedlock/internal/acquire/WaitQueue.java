package io.distributedlock.internal.acquire;

import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LocalState;
import io.distributedlock.internal.lease.LockHold;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
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
 * <p>Not for use by several threads at once: its {@link WaitQueues} guard it.
 */
final class WaitQueue implements LocalState {

    static final int MAX_BARGES = 32;

    private @Nullable LockWaiter asking;
    private @Nullable HeldLease heldLease;
    private @Nullable Set<LockWaiter> waiting;
    private @Nullable Set<LockWaiter> followers;
    private @Nullable Set<LockWaiter> sharing;
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
    WaitQueue(@Nullable HeldLease heldLease) {
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
    LocalState reduced() {
        return asking != null || waiters() > 0 || open || passedOn ? this : heldLease;
    }

    /** No call of this process holds the lock or deals with the store. */
    boolean isUnattended() {
        return asking == null && heldLease == null;
    }

    int waiters() {
        return sizeOf(waiting) + sizeOf(followers) + sizeOf(sharing);
    }

    private static int sizeOf(@Nullable Set<LockWaiter> some) {
        return some == null ? 0 : some.size();
    }

    /** All who wait for the lock, the first one first. */
    Collection<LockWaiter> waiting() {
        return waiting == null ? List.of() : waiting;
    }

    @Nullable
    LockWaiter first() {
        return waiting == null || waiting.isEmpty() ? null : waiting.iterator().next();
    }

    boolean isWaiting(LockWaiter waiter) {
        return waiting != null && waiting.contains(waiter);
    }

    void append(LockWaiter waiter) {
        if (waiting == null) {
            waiting = new LinkedHashSet<>();
        }
        waiting.add(waiter);
        resigned = false;
    }

    /** From now on it waits for nothing but the store's answer to the one who asks. */
    void follow(LockWaiter waiter) {
        if (waiting != null) {
            waiting.remove(waiter);
        }
        if (followers == null) {
            followers = new LinkedHashSet<>();
        }
        followers.add(waiter);
    }

    Collection<LockWaiter> followers() {
        return followers == null ? List.of() : followers;
    }

    /** Returns whether it waited here. */
    boolean remove(LockWaiter waiter) {
        return (waiting != null && waiting.remove(waiter))
                || (followers != null && followers.remove(waiter))
                || (sharing != null && sharing.remove(waiter));
    }

    /**
     * It wants a share of the lock, deals with the store itself, and was refused there: it is counted, and has no place
     * in this line.
     */
    void waitsSharing(LockWaiter waiter) {
        if (sharing == null) {
            sharing = new HashSet<>();
        }
        sharing.add(waiter);
    }

    boolean isSharing(LockWaiter waiter) {
        return sharing != null && sharing.contains(waiter);
    }

    /**
     * The waiter that is to ask the store next, in a line where none does: the first one. But if the store has just
     * refused or not answered one of this line, it is not asked for those who have hardly any time left: many who came
     * together end together, and would take the lead from each other with two commands each time. Then a waiter asks
     * that stays for a while.
     */
    @Nullable
    LockWaiter nextToAsk(long now) {
        LockWaiter next = resigned ? null : worthAsking(now);
        resigned = next == null && sizeOf(waiting) > 0;
        return next != null || sizeOf(followers) == 0
                ? next
                : followers().iterator().next();
    }

    private @Nullable LockWaiter worthAsking(long now) {
        LockWaiter first = first();
        if (first == null || !askedInVain || !first.isAlmostOver(now)) {
            return first;
        }
        LockWaiter longest = first;
        for (LockWaiter each : waiting()) {
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

    /** When the store granted the lease: its slice begins there. */
    long grantedAt() {
        return grantedAt;
    }

    /** The lease goes back to the store, or is over. */
    void forget(HeldLease ended, long now) {
        if (heldLease == ended) {
            heldLease = null;
            open = false;
            passedOn = false;
            askedInVain = false;
            resigned = false;
            seenHeld(now);
        }
    }

    /** An owner here or elsewhere held the lock at this instant. */
    void seenHeld(long instant) {
        everHeld = true;
        heldAt = instant;
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
    boolean open(long now) {
        open = true;
        openedAt = now;
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
        if (first != null && waiting != null) {
            waiting.remove(first);
            waiting.add(first);
        }
    }

    /** The next turn begins: that of one who waited, or of one who came by. */
    void taken(boolean waited) {
        open = false;
        passedOn = true;
        barges = waited ? 0 : barges + 1;
    }
}
