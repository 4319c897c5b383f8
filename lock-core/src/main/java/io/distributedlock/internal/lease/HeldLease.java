package io.distributedlock.internal.lease;

import io.distributedlock.LockId;
import io.distributedlock.LossReason;
import io.distributedlock.internal.support.Durations;
import io.distributedlock.internal.time.Deadline;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * What the store has granted to this process for one owner, from the grant to its end. At each moment it belongs to one
 * {@link LockHold}, which can pass it on to the next one; the hold that has it when it is lost has lost its lock.
 *
 * <p>There is one for each lock that is held, so its fields stand in it directly, and it is its own timer task.
 */
public final class HeldLease extends ConfirmedLease implements Runnable {

    /** Asks whether the lock is still ours without changing its expiry. */
    private static final Duration JUST_ASK = Duration.ofMillis(1);

    private static final AtomicReferenceFieldUpdater<HeldLease, @Nullable LockHold> HOLD =
            AtomicReferenceFieldUpdater.newUpdater(HeldLease.class, LockHold.class, "hold");

    private static final AtomicLongFieldUpdater<HeldLease> SERVER_TOKEN =
            AtomicLongFieldUpdater.newUpdater(HeldLease.class, "serverToken");

    private final LeaseContext context;
    private final LockId id;
    private final Claim claim;
    private final LeaseTerms lease;
    private volatile long serverToken;
    private final boolean doubtful;
    private volatile @Nullable LockHold hold;
    /**
     * Until when its present hold may last: for a renewed one no later than the lease. A promise across a suspension of
     * the machine seems to last longer than the ttl does.
     */
    private volatile long wanted;

    private volatile boolean doubted;
    private volatile boolean failing;
    private volatile boolean lost;

    public HeldLease(LeaseContext context, LeaseGrant grant) {
        super(
                new Deadline(grant.safeUntil(), context.suspensions().before(grant.sentAt())),
                grant.lease().ttl());
        this.context = context;
        this.id = grant.id();
        this.claim = grant.claim();
        this.lease = grant.lease();
        this.serverToken = grant.serverToken();
        this.doubtful = grant.doubtful();
        this.wanted = grant.isStretched() || grant.safeUntil() - wholeTtlFromNow() > 0
                ? wholeTtlFromNow()
                : grant.safeUntil();
    }

    public LeaseContext context() {
        return context;
    }

    public LockId id() {
        return id;
    }

    public Claim claim() {
        return claim;
    }

    public LeaseTerms lease() {
        return lease;
    }

    /** Whether others may hold the same lock. */
    public boolean isShared() {
        return claim.isShared();
    }

    /** The store's fencing token; zero as long as none was drawn. */
    public long serverToken() {
        return serverToken;
    }

    /** The first token that was drawn for it stays. */
    void drew(long token) {
        SERVER_TOKEN.compareAndSet(this, 0, token);
    }

    /** Whether a command sent for the claim before the grant may still be executed. */
    boolean isDoubtful() {
        return doubtful;
    }

    /** Its first hold begins. */
    public void begin(LockHold first) {
        hold = first;
    }

    private long wholeTtlFromNow() {
        return LeaseTerms.safeUntil(context.time().now(), lease.ttl());
    }

    /**
     * Passes it from one hold to the next, unless it has ended or belongs to another hold by now. An explicit ttl
     * counts anew for each hold, so the lease has to be stretched again if this one lasts.
     */
    public boolean passOn(LockHold from, LockHold to) {
        if (!HOLD.compareAndSet(this, from, to)) {
            return false;
        }
        if (!lease.renewed()) {
            wanted = wholeTtlFromNow();
            long due = nextStretch();
            if (dueAt() - due > 0) {
                checkAt(due);
            }
        }
        return true;
    }

    /** Whose it is; null once it has ended. */
    @Nullable
    public LockHold hold() {
        return hold;
    }

    public boolean belongsTo(LockHold one) {
        return hold == one;
    }

    /** Ends it: whatever is confirmed later, it does not come back. Returns the hold that had it, once. */
    @Nullable
    LockHold end() {
        LockHold last = HOLD.getAndSet(this, null);
        cancelLook();
        return last;
    }

    public boolean isOver() {
        return hold == null;
    }

    /** Whether it may have ended by a loss, whichever hold had it: known before it is over. */
    public boolean isLost() {
        return lost;
    }

    /** The one way to lose it, whichever part notices first. Returns whether it had not ended before. */
    public boolean lose(LossReason reason) {
        LockHold present = hold;
        if (present != null) {
            present.endsBecause(reason);
            lost = true;
        }
        LockHold last = end();
        if (last != null) {
            context.lost(last, reason);
        }
        return last != null;
    }

    /** Loses it, if it still belongs to {@code holder}. Returns whether it did. */
    public boolean lose(LockHold holder, LossReason reason) {
        if (hold == holder) {
            lost = true;
        }
        boolean ends = HOLD.compareAndSet(this, holder, null);
        if (ends) {
            cancelLook();
            context.lost(holder, reason);
        }
        return ends;
    }

    /** Its lease is over by the clock, whether or not a timer has noticed. The part that sees that first ends it. */
    public boolean endsIfOverdue() {
        boolean overdue = isOverdue();
        if (overdue) {
            lose(LossReason.DEADLINE);
        }
        return overdue;
    }

    public boolean isOverdue() {
        return context.time().now() - safeUntil() >= 0;
    }

    /**
     * The same for one who only asks: it ends nothing, but once its holder has learned that it is not held, no late
     * confirmation brings it back. The timer, or that confirmation, ends it.
     */
    boolean isSeenOverdue() {
        Deadline last = deadline();
        if (context.time().now() - last.instant() < 0) {
            return false;
        }
        confirmed(last.forGood());
        return true;
    }

    /**
     * The store has confirmed that the lease lasts for {@code left} at least from when a command was sent. After the
     * machine was suspended, that can be shorter than what was confirmed before. Then its loss is signalled at the new
     * end, whenever the next look is due.
     */
    public void extended(long sentAt, Duration left) {
        long before = safeUntil();
        confirmed(new Deadline(
                LeaseTerms.safeUntil(sentAt, lease.usable(left)),
                context.suspensions().before(sentAt)));
        if (before - safeUntil() > 0 && !endsIfOverdue()) {
            context.time().after(context.time().until(safeUntil()), this::endsIfOverdue);
        }
    }

    /**
     * Whether the lease ends before the explicit ttl of its hold does, so that it has to be stretched if that lasts.
     */
    public boolean isStretching() {
        return !lease.renewed() && wanted - safeUntil() > 0;
    }

    /** Whether a renewed lock has less than half of its ttl left, as one that was handed over directly. */
    public boolean isShort() {
        Duration left = context.time().until(safeUntil());
        return lease.renewed() && left.compareTo(Durations.part(lease.ttl(), 2)) < 0;
    }

    /** Whether it has not been extended yet to what its holder has asked for, and nothing is wrong with it. */
    boolean isInItsFirstPart() {
        return isStretching() || (isShort() && !isAtRisk());
    }

    /** When a lease is stretched that is still held then: work that is done sooner costs no command. */
    public long nextStretch() {
        long now = context.time().now();
        return now + (safeUntil() - now) / 3;
    }

    /**
     * How long the lease should last from now on: a whole one if it is renewed, else what is left of the explicit ttl,
     * or a moment if it lasts for that already, because an extension never shortens a lease.
     */
    public Duration extension() {
        if (lease.renewed()) {
            return lease.ttl();
        }
        LockHold holder = hold;
        long millisLeft = holder == null || !isStretching()
                ? 0
                : lease.ttl().minus(holder.held()).toMillis();
        return JUST_ASK.plusMillis(Math.max(0, millisLeft));
    }

    /**
     * Whether the store was away, or the machine suspended, and it has not been confirmed since: an answer to a command
     * from before a suspension says nothing of the time after it.
     */
    public boolean isDoubted() {
        return doubted || suspended() > 0;
    }

    public boolean isAtRisk() {
        return failing || isDoubted() || isLate();
    }

    /** A renewal is due for so long that there is less time left than there should be. */
    public boolean isLate() {
        return lease.renewed() && overdue().compareTo(lease.maxLag()) > 0;
    }

    /** Whether it has not run out even if the machine was suspended for as long as its wall clock says. */
    boolean isTrusted() {
        return suspended() <= 0 || !trustedLeft().isZero();
    }

    Duration trustedLeft() {
        Deadline deadline = deadline();
        return context.time().until(deadline.instant() - suspendedSince(deadline));
    }

    /**
     * For how long the machine seems to have been suspended since the last command was sent that the store has
     * confirmed.
     */
    private long suspended() {
        return suspendedSince(deadline());
    }

    private long suspendedSince(Deadline deadline) {
        return context.suspensions().look() - deadline.suspendedBefore();
    }

    public void doubt() {
        doubted = true;
    }

    /** The store has confirmed it. */
    public void trust() {
        failing = false;
        doubted = false;
    }

    /** A renewal has failed. Returns whether it is the first one of a series. */
    public boolean failed() {
        boolean first = !failing;
        failing = true;
        return first;
    }

    public void checkIn(Duration delay) {
        checkAt(context.time().now() + delay.toNanos());
    }

    /**
     * Plans the next look at it, instead of the one that was planned: at {@code instant}, or at its end if that is
     * earlier.
     */
    public void checkAt(long instant) {
        LockHold holder = hold;
        if (holder != null) {
            Scheduler time = context.time();
            long now = time.now();
            lookAt(time, now + Math.max(0, Math.min(instant - now, holder.span().toNanos())), this);
            if (isOver()) {
                cancelLook();
            }
        }
    }

    /** How late the look at it is that was planned; zero if that is still to come. */
    public Duration overdue() {
        return context.time().since(dueAt());
    }

    @Override
    public void run() {
        context.due(this);
    }
}
