package io.distributedlock.internal.acquire;

import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LeaseTerms;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.internal.lease.SingleLockHandle;
import io.distributedlock.internal.support.Durations;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether a lease may pass from one turn to the next one in this process, and how it does. */
final class LocalHandover {

    static final Duration SLICE = Duration.ofMillis(2);

    private final Scheduler time;

    LocalHandover(Scheduler time) {
        this.time = time;
    }

    /** At the end of a turn: whether {@code next} may go on with the lease, or the store has to be asked. */
    boolean isDue(WaitQueue line, LockHold ended, LockWaiter next) {
        return line.heldLease() == ended.heldLease()
                && time.since(line.grantedAt()).compareTo(SLICE) < 0
                && ended.turn() < LockHold.MAX_TURN
                && fits(ended.heldLease(), next);
    }

    /**
     * A lease is passed on among callers with the same ttl, unless it has to be kept after its release, or its last
     * holder has extended an explicit one: the next holder would keep the lock for longer than its own ttl. It has to
     * be sound, and a third of its first part has to be left, so that the next holder does not begin at the end of it;
     * and to have a fencing token, if the next holder wants one.
     */
    boolean fits(HeldLease heldLease, LockWaiter next) {
        LeaseTerms lease = heldLease.lease();
        LeaseTerms wanted = next.terms().lease();
        Duration full = Durations.min(lease.ttl(), LockStore.LONGEST_DIRECT_LEASE);
        return lease.renewed() == wanted.renewed()
                && (lease.renewed() || heldLease.longestTtl().compareTo(lease.ttl()) <= 0)
                && (heldLease.serverToken() != LockHold.NO_TOKEN
                        || !next.terms().fenced())
                && lease.minHold() == null
                && wanted.minHold() == null
                && lease.ttl().equals(wanted.ttl())
                && !heldLease.isAtRisk()
                && time.until(heldLease.safeUntil()).compareTo(Durations.part(full, 3)) >= 0;
    }

    /** The next turn; null if the lease has ended, or does not fit. */
    @Nullable
    SingleLockHandle take(@Nullable HeldLease open, LockWaiter next) {
        LockHold last = open == null || !fits(open, next) ? null : open.hold();
        if (open == null || last == null) {
            return null;
        }
        SingleLockHandle lock =
                new SingleLockHandle(open, last.turn() + 1, next.terms().lease().maxHold());
        return open.passOn(last, lock.hold()) ? lock : null;
    }
}
