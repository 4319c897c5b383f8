package io.distributedlock.internal.lease;

import io.distributedlock.LockId;
import io.distributedlock.LockLostException;
import io.distributedlock.LockState;
import io.distributedlock.LossReason;
import io.distributedlock.internal.support.Durations;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One turn of one user at a lock, from the moment it is handed out. Held ends in released or in lost, once; nothing
 * leads back. Whether it is held is computed from the clock at each question, which ends nothing: a timer that runs
 * late delays the signal, never the answer.
 *
 * <p>The user's handle is referred to weakly, by this object itself, so that a handle that no code can release any more
 * is noticed.
 */
public final class LockHold extends WeakReference<SingleLockHandle> {

    /** Room below each server token for the turns that this process gives without asking the store. */
    private static final int TURN_BITS = 10;

    public static final long NO_TOKEN = 0;

    /** The last turn that a server token has room for. */
    public static final int MAX_TURN = (1 << TURN_BITS) - 1;

    private static final AtomicReferenceFieldUpdater<LockHold, LockState> STATE =
            AtomicReferenceFieldUpdater.newUpdater(LockHold.class, LockState.class, "state");
    private static final LazyFuture<LockHold, LossReason> LOST = LazyFuture.in(LockHold.class, "lost");
    private static final LazyFuture<LockHold, Void> ENDED = LazyFuture.in(LockHold.class, "ended");

    private final HeldLease heldLease;
    private final short turn;
    private final @Nullable Duration maxHold;
    private final long since;
    private volatile @Nullable Thread holder;
    private volatile @Nullable StackTraceElement site;
    private volatile boolean reported;
    private volatile LockState state = LockState.HELD;
    private volatile LossReason lossReason = LossReason.DEADLINE;
    volatile @Nullable CompletableFuture<LossReason> lost;
    volatile @Nullable CompletableFuture<Void> ended;

    /**
     * @param turn how many holds had this lease before
     * @param maxHold how long this hold may last; null for as long as its holder likes
     */
    LockHold(SingleLockHandle handle, HeldLease heldLease, int turn, @Nullable Duration maxHold) {
        super(handle);
        this.heldLease = heldLease;
        this.turn = (short) turn;
        this.maxHold = maxHold;
        this.since = heldLease.context().time().now();
    }

    public HeldLease heldLease() {
        return heldLease;
    }

    public LockId id() {
        return heldLease.id();
    }

    public int turn() {
        return turn;
    }

    /** {@link #NO_TOKEN} as long as the store has drawn none. */
    public long fencingToken() {
        long drawn = heldLease.serverToken();
        return drawn == 0 ? NO_TOKEN : (drawn << TURN_BITS) | turn;
    }

    /** When it was handed out. */
    public long since() {
        return since;
    }

    /** For how long it has been held by now. */
    public Duration held() {
        return heldLease.context().time().since(since);
    }

    /** Where it was acquired, if that is known. */
    @Nullable
    public StackTraceElement site() {
        return site;
    }

    public void acquiredAt(@Nullable StackTraceElement place) {
        site = place;
    }

    /** Only as long as this thread lives, it makes sense to hold the lock. */
    public void bindTo(@Nullable Thread thread) {
        holder = thread;
    }

    public boolean isReported() {
        return reported;
    }

    /** Returns true once: that it lasts long is reported one time. */
    public boolean reportsLongHold() {
        boolean first = !reported;
        reported = true;
        return first;
    }

    @Nullable
    public Thread holder() {
        return holder;
    }

    /** It has reached its max-hold by the clock, whether or not a timer has noticed. */
    private boolean isTooLong() {
        return maxHold != null && held().compareTo(maxHold) >= 0;
    }

    /** Ends it, if it has reached its max-hold. Returns whether it did. */
    public boolean endsIfTooLong() {
        return isTooLong() && heldLease.lose(this, LossReason.MAX_HOLD);
    }

    /**
     * Whether it ends sooner or later even if its lease is renewed for ever; not any more once its holder has released
     * it.
     */
    public boolean isLimited() {
        return maxHold != null && !isReleased();
    }

    /** For how long it can last without another word of the store. */
    Duration span() {
        Duration lease = heldLease.context().time().until(heldLease.safeUntil());
        return maxHold == null || isReleased() ? lease : Durations.min(lease, maxHold.minus(held()));
    }

    /** Its holder has released it; its lease may be on its way to the next one. */
    public boolean isReleased() {
        return state == LockState.RELEASED;
    }

    public boolean isHeld() {
        return isGoingOn() && heldLease.isTrusted();
    }

    private boolean isGoingOn() {
        return state == LockState.HELD && heldLease.belongsTo(this) && !heldLease.isSeenOverdue() && !isTooLong();
    }

    public LockState state() {
        if (isGoingOn()) {
            return heldLease.isAtRisk() ? LockState.AT_RISK : LockState.HELD;
        }
        return state == LockState.HELD ? LockState.LOST : state;
    }

    public Duration remaining() {
        return isHeld() ? Durations.min(span(), heldLease.trustedLeft()) : Duration.ZERO;
    }

    void requireHeld() {
        if (!isGoingOn()) {
            throw state == LockState.RELEASED ? LockLostException.released(id()) : lossException();
        }
        if (!heldLease.isTrusted()) {
            throw LockLostException.unconfirmed(id());
        }
    }

    void requireHeld(Duration atLeast) {
        requireHeld();
        Duration left = remaining();
        if (left.compareTo(atLeast) < 0) {
            throw LockLostException.tooLittleLeft(id(), left, atLeast);
        }
    }

    /** Why it was lost, or is about to be. */
    LossReason lossReason() {
        return lossReason;
    }

    /** The part that ends its lease sets the reason before, for a release that finds it ended. */
    void endsBecause(LossReason reason) {
        lossReason = reason;
    }

    private LockLostException lossException() {
        boolean tooLong = heldLease.belongsTo(this) && !heldLease.isOverdue() && isTooLong();
        LossReason reason = tooLong ? LossReason.MAX_HOLD : lossReason;
        LeaseTerms lease = heldLease.lease();
        return reason == LossReason.DEADLINE
                ? LockLostException.expired(id(), lease.ttl(), lease.renewed(), held())
                : new LockLostException(id(), reason);
    }

    CompletableFuture<LossReason> lost() {
        return LOST.of(this);
    }

    /**
     * Completes when the store has ended this hold, or was asked to in vain: after a release as after a
     * loss.
     */
    public CompletableFuture<Void> ended() {
        return ENDED.of(this);
    }

    /** Turns held into lost. Returns whether it did. */
    boolean becomesLost(LossReason reason) {
        if (state == LockState.HELD) {
            lossReason = reason;
        }
        return STATE.compareAndSet(this, LockState.HELD, LockState.LOST);
    }

    boolean isLost() {
        return state == LockState.LOST;
    }

    /** Completes the signal unless it has been requested before. Returns whether it did. */
    boolean signalsLossToNoCaller(LossReason reason) {
        return LOST.completeUnasked(this, CompletableFuture.completedFuture(reason));
    }

    /** Completes the signal; on a thread that may run callers' code. */
    void signalLoss(LossReason reason) {
        LOST.complete(this, CompletableFuture.completedFuture(reason));
    }

    /** The loss was signalled, and the lock is on its way to be free. */
    void lossEnded() {
        ENDED.complete(this, CompletableFuture.completedFuture(null));
    }

    /**
     * Completes as {@link #ended()} does, where the store's answer arrives; fails at once if it had been lost before.
     */
    CompletableFuture<Void> release() {
        if (!heldLease.endsIfOverdue()
                && !endsIfTooLong()
                && STATE.compareAndSet(this, LockState.HELD, LockState.RELEASED)) {
            heldLease.context().release(this);
        } else if (state != LockState.RELEASED) {
            return CompletableFuture.failedFuture(lossException());
        }
        return ended();
    }

    /**
     * The release was sent while the lease was valid; this is how it ended.
     *
     * @param taken what the store found in place of this hold, if the lock was gone; no answer at all is no failure of
     *     the caller's
     */
    void releaseEnded(@Nullable LossReason taken) {
        if (taken != null) {
            lossReason = taken;
            state = LockState.LOST;
            ENDED.complete(this, CompletableFuture.failedFuture(lossException()));
        } else {
            ENDED.complete(this, CompletableFuture.completedFuture(null));
        }
    }

    @Override
    public String toString() {
        return "Lock[" + id().display() + ", " + state + "]";
    }
}
