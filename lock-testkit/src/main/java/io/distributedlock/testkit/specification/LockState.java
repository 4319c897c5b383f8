package io.distributedlock.testkit.specification;

import java.util.Optional;

/**
 * What the store has of one lock, as the specification sees it.
 *
 * @param mode who may have the lock
 * @param holder the hold, if the lock is held alone
 * @param known whether this is the hold that the caller learns of, rather than one that ended before its reply came
 * @param latest the exclusive hold that had the highest token so far
 * @param shares the highest token of a share so far, 0 if there is none
 */
record LockState(Mode mode, Optional<StoredHold> holder, boolean known, Optional<StoredHold> latest, long shares) {
    static final LockState NEW = new LockState(Mode.FREE, Optional.empty(), false, Optional.empty(), 0);

    /** Who may have a lock. */
    enum Mode {
        FREE,
        ALONE,
        SHARED,
        /** An owner of an earlier time has it: the store has lost its state and came back with an old one. */
        RESTORED
    }

    boolean isFree() {
        return mode == Mode.FREE;
    }

    boolean isOf(StoredHold hold) {
        return hold.isShared()
                ? mode == Mode.SHARED
                : holder.filter(each -> each == hold).isPresent();
    }

    /** The highest token of all exclusive holds. */
    long token() {
        return latest.map(StoredHold::token).orElse(0L);
    }

    LockState free() {
        return new LockState(Mode.FREE, Optional.empty(), false, latest, shares);
    }

    LockState restored() {
        return new LockState(Mode.RESTORED, Optional.empty(), false, latest, shares);
    }

    /** The lock of this hold, or a share of it. */
    LockState given(StoredHold hold) {
        return hold.isShared()
                ? new LockState(Mode.SHARED, Optional.empty(), true, latest, shares)
                : new LockState(Mode.ALONE, Optional.of(hold), false, latest, shares);
    }

    /** The same with the token of its hold. */
    LockState drawn(StoredHold hold) {
        return new LockState(mode, holder, true, hold.token() == 0 ? latest : Optional.of(hold), shares);
    }

    /** After a share with this token. */
    LockState counted(long token) {
        return new LockState(mode, holder, known, latest, Math.max(shares, token));
    }
}
