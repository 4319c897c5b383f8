package io.distributedlock.testkit.specification;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.DeadOwner;
import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.analysis.Windows;
import io.distributedlock.testkit.history.CallTerms.Bond;
import io.distributedlock.testkit.history.EventKind;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * The intervals in which the hold of one call has to begin, to last and to end. The hold itself, the time in which
 * the store keeps the lock for the call, is in no record: a {@link Replay} looks for one that fits.
 */
final class StoredHold {
    /** For how long a try without a queue keeps new shares out: see the script {@code acquire}. */
    private static final long CLOSED_NANOS = Duration.ofMillis(500).toNanos();

    private final Call call;
    private final Windows excuses;
    private final long token;
    private final long grantableUntil;
    private final long goneBy;
    private final long lastTry;

    StoredHold(Call call, Timeline timeline) {
        this.call = call;
        this.excuses = timeline.excuses(call.process());
        this.token = call.events().stream()
                .filter(event -> event.kind() == EventKind.GRANTED || event.kind() == EventKind.ACCEPTED)
                .mapToLong(event -> event.value())
                .max()
                .orElse(0);
        this.goneBy = wasNeverWritten()
                ? call.begin() - 1
                : DeadOwner.of(call, timeline).goneBy();
        boolean late = timeline.lateRequests(call.process()).touch(call.begin(), call.endedAt());
        this.grantableUntil = isSettled() && !late ? Math.min(call.endedAt(), goneBy) : goneBy;
        this.lastTry =
                call.endedWith(EventKind.HELD_BY_OTHER) && !late ? call.endedAt() : Math.max(call.endedAt(), goneBy);
    }

    private boolean wasNeverWritten() {
        return call.endedWith(EventKind.UNAVAILABLE) || call.endedWith(EventKind.NOT_ASKED);
    }

    /** Whether no command of the call can take effect after its end, unless requests are late. */
    private boolean isSettled() {
        return call.isGranted()
                ? call.count(EventKind.RELEASED) > 0
                : call.endedWith(EventKind.HELD_BY_OTHER)
                        && !call.waits()
                        && call.terms().bond() != Bond.ALL;
    }

    Call call() {
        return call;
    }

    boolean isShared() {
        return call.terms().shared();
    }

    /** Spreads holds where hash codes of objects are all the same, as they are where runs have to repeat. */
    @Override
    public int hashCode() {
        return Long.hashCode(call.begin());
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    /** The token of the hold, 0 if none is known. */
    long token() {
        return token;
    }

    /** The store may give the lock to this request. */
    boolean mayBegin(long at) {
        return call.begin() <= at && at <= grantableUntil;
    }

    /** The store may have the lock for this request. */
    boolean mayLast(long at) {
        return call.begin() <= at && at <= goneBy;
    }

    /** The caller believes in the lock, and nothing excuses it if the store has ended the hold meanwhile. */
    boolean mustLast(long at) {
        return isBelieved(at) && !isExcused(at);
    }

    /** Whether there is an instant from {@code begin} to {@code end} at which it must last. */
    boolean surelyLastsBetween(long begin, long end) {
        long at = Math.max(begin, call.grantedAt());
        return at <= end && mustLast(at);
    }

    /** The caller is going to learn that it has the lock, at this instant or later. */
    boolean isOnItsWay(long at) {
        return call.isGranted() && at <= call.grantedAt();
    }

    /**
     * Whether the caller is going to learn of the hold, or has and believes in it, and nothing excuses its end. One
     * that learns of the hold and of its loss at once, because its thread stood still, never believes in it.
     */
    boolean isKept(long at) {
        boolean coming = isOnItsWay(at) && !call.isGrantedTooLate();
        return (coming || isBelieved(at)) && !isExcused(at);
    }

    private boolean isBelieved(long at) {
        return call.grantedAt() <= at && at < call.heldUntil();
    }

    /** The store was losing its state, or the caller's process stood still. */
    boolean isExcused(long at) {
        return excuses.contain(at);
    }

    /**
     * Whether the call wants the lock alone and keeps those out that want a share. Where waiters poll, each of its
     * tries does so for a while, also its last one, which the store may execute after the call has ended.
     */
    boolean isWaitingAlone(long at) {
        return !isShared() && call.waits() && call.begin() <= at && at < keepsOutUntil();
    }

    private long keepsOutUntil() {
        if (call.isGranted()) {
            return call.grantedAt();
        }
        return lastTry == Call.NEVER ? Call.NEVER : lastTry + CLOSED_NANOS;
    }

    /** The instants at which one of the answers above may change, but for those of faults. */
    LongStream changes() {
        return LongStream.of(
                        call.begin(),
                        call.grantedAt(),
                        call.heldUntil(),
                        call.endedAt(),
                        keepsOutUntil(),
                        after(grantableUntil),
                        after(goneBy))
                .filter(instant -> instant != Call.NEVER);
    }

    /**
     * From when on it can't begin any more, no caller believes in it and it keeps no other out; of a share, from when
     * on it is gone.
     */
    long over() {
        long noShare = !isShared() && call.waits() ? keepsOutUntil() : 0;
        return Math.max(
                Math.max(after(isShared() ? goneBy : grantableUntil), noShare),
                call.isGranted() ? call.heldUntil() : 0);
    }

    private static long after(long instant) {
        return instant == Call.NEVER ? Call.NEVER : instant + 1;
    }
}
