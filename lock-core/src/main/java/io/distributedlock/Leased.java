package io.distributedlock;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/** Something that the store keeps for a while: until when, as far as it has confirmed that to this, or to all of the group that this is renewed with. */
abstract class Leased extends Watched {

    private static final AtomicLongFieldUpdater<Leased> SAFE_UNTIL =
            AtomicLongFieldUpdater.newUpdater(Leased.class, "safeUntil");
    private static final AtomicLongFieldUpdater<Leased> LONGEST_TTL =
            AtomicLongFieldUpdater.newUpdater(Leased.class, "longestTtlNanos");

    private volatile long safeUntil;
    private volatile long longestTtlNanos;
    private volatile long suspendedBefore;

    /**
     * @param safeUntil until when it is kept at least
     * @param ttl the longest time that was asked for
     * @param suspendedBefore for how long the machine had been suspended when it was asked for
     */
    Leased(long safeUntil, Duration ttl, long suspendedBefore) {
        super(safeUntil);
        this.safeUntil = safeUntil;
        this.longestTtlNanos = ttl.toNanos();
        this.suspendedBefore = suspendedBefore;
    }

    /** Until when it is kept at least. */
    long safeUntil() {
        RenewalGroup together = group();
        return together == null ? safeUntil : Lease.later(safeUntil, together.safeUntil());
    }

    /** For how long the machine had been suspended when the last command was sent that the store has confirmed. */
    long suspendedBefore() {
        RenewalGroup together = group();
        return together == null ? suspendedBefore : Math.max(suspendedBefore, together.suspendedBefore());
    }

    /** It is kept longer: never shorter than was confirmed before. */
    void confirmed(long until, long suspended) {
        SAFE_UNTIL.accumulateAndGet(this, until, Lease::later);
        suspendedBefore = Math.max(suspendedBefore, suspended);
    }

    @Override
    void leaves(RenewalGroup group) {
        confirmed(group.safeUntil(), group.suspendedBefore());
    }

    /** The longest lease that the store was ever asked for. */
    Duration longestTtl() {
        return Duration.ofNanos(longestTtlNanos);
    }

    /** An extension is about to be sent: from now on the store may keep it for {@code ttl}, whatever becomes of the reply. */
    void extending(Duration ttl) {
        LONGEST_TTL.accumulateAndGet(this, ttl.toNanos(), Math::max);
    }
}
