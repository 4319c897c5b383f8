package io.distributedlock;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everybody in this process who wants one lock: one of them deals with the store, or holds what it has granted; the others wait, in the order
 * of their arrival.
 *
 * <p>Between two turns a tenure can lie open. The first waiter has been woken then, and until it runs, threads that run already may take the lock
 * in front of it, {@value #MAX_BARGES} times in all.
 *
 * <p>Not for use by several threads at once: its {@link Lines} guard it.
 */
final class Line implements Standing {

    static final int MAX_BARGES = 32;

    private @Nullable Contender asking;
    private @Nullable Tenure tenure;
    private @Nullable Set<Contender> waiting;
    private boolean open;
    private boolean passedOn;
    private int barges;
    private long grantedAt;
    private boolean everHeld;
    private long heldAt;

    /** @param tenure what this process holds already; null if nothing */
    Line(@Nullable Tenure tenure) {
        this.tenure = tenure;
        this.grantedAt = startOf(tenure);
    }

    /** When its first turn began; whatever if it has ended. */
    private static long startOf(@Nullable Tenure tenure) {
        Hold first = tenure == null ? null : tenure.hold();
        return first == null ? 0 : first.since();
    }

    boolean isIdle() {
        return isUnattended() && waiters() == 0;
    }

    /** The least that has to be remembered: nothing if it is idle, a tenure with its first holder that nobody else wants, or all of it. */
    @Nullable
    Standing reduced() {
        return asking != null || waiters() > 0 || open || passedOn ? this : tenure;
    }

    /** Nobody here holds the lock or deals with the store. */
    boolean isUnattended() {
        return asking == null && tenure == null;
    }

    int waiters() {
        return waiting == null ? 0 : waiting.size();
    }

    /** All who wait, the first one first. */
    List<Contender> waiting() {
        return waiting == null ? List.of() : List.copyOf(waiting);
    }

    @Nullable
    Contender first() {
        return waiting == null || waiting.isEmpty() ? null : waiting.iterator().next();
    }

    boolean isWaiting(Contender contender) {
        return waiting != null && waiting.contains(contender);
    }

    void append(Contender contender) {
        if (waiting == null) {
            waiting = new LinkedHashSet<>();
        }
        waiting.add(contender);
    }

    /** Gives whether it waited here. */
    boolean remove(Contender contender) {
        return waiting != null && waiting.remove(contender);
    }

    @Nullable
    Contender asking() {
        return asking;
    }

    /** From now on this one deals with the store; null for nobody. */
    void letAsk(@Nullable Contender contender) {
        asking = contender;
    }

    @Nullable
    Tenure tenure() {
        return tenure;
    }

    /** Whether somebody is known to have held the lock at {@code instant} or later. */
    boolean wasHeldSince(long instant) {
        return tenure != null || (everHeld && heldAt - instant >= 0) || (asking != null && asking.isAnswered());
    }

    /** The store has granted the lock to this process, which passes it on while its slice lasts. */
    void granted(Tenure granted) {
        asking = null;
        tenure = granted;
        grantedAt = startOf(granted);
        open = false;
        passedOn = false;
        barges = 0;
    }

    /** When the store granted the tenure: its slice begins there. */
    long grantedAt() {
        return grantedAt;
    }

    /** The tenure goes back to the store, or is over. */
    void forget(Tenure ended, long now) {
        if (tenure == ended) {
            tenure = null;
            open = false;
            passedOn = false;
            seenHeld(now);
        }
    }

    /** Somebody here or elsewhere held the lock at this instant. */
    void seenHeld(long instant) {
        everHeld = true;
        heldAt = instant;
    }

    /** The tenure that lies open; null if it belongs to somebody, or if there is none. */
    @Nullable
    Tenure openTenure() {
        return open ? tenure : null;
    }

    /** Whether somebody may still take an open tenure in front of the first waiter. */
    boolean allowsBarging() {
        return barges < MAX_BARGES;
    }

    /** The last turn has ended; whoever comes first has the next one. */
    void open() {
        open = true;
    }

    /** The next turn begins: that of one who waited, or of one who came by. */
    void taken(boolean waited) {
        open = false;
        passedOn = true;
        barges = waited ? 0 : barges + 1;
    }
}
