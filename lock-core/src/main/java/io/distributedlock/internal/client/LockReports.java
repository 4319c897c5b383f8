package io.distributedlock.internal.client;

import io.distributedlock.LockId;
import io.distributedlock.LockReport;
import io.distributedlock.internal.acquire.LockWaiter;
import io.distributedlock.internal.lease.LockHold;
import io.distributedlock.spi.StoredLock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Describes locks for people, without what would let them release one. */
final class LockReports {

    private static final int SHORT = 8;

    private LockReports() {}

    static LockReport.Held held(LockHold hold) {
        Thread holder = hold.holder();
        return new LockReport.Held(
                hold.id().encoded(),
                hold.id().name(),
                hash(hold.heldLease().claim().owner()),
                hold.state(),
                legible(hold.held()),
                legible(hold.remaining()),
                holder == null ? null : holder.getName());
    }

    static LockReport.Awaited awaited(LockWaiter waiter) {
        LockId id = waiter.id();
        return new LockReport.Awaited(id.encoded(), id.name(), legible(waiter.waited()));
    }

    static LockReport.Stored stored(String id, StoredLock lock, boolean heldHere) {
        return new LockReport.Stored(
                id, hash(lock.owners().get(0)), lock.owners().size(), lock.remaining(), lock.waiting(), heldHere);
    }

    private static Duration legible(Duration exact) {
        return Duration.ofMillis(exact.toMillis());
    }

    static String hash(String owner) {
        return LockId.sha256(owner.getBytes(StandardCharsets.UTF_8)).substring(0, SHORT);
    }
}
