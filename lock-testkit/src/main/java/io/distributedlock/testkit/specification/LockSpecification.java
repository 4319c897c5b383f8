package io.distributedlock.testkit.specification;

import static io.distributedlock.testkit.history.EventKind.LOST;
import static io.distributedlock.testkit.history.EventKind.RELEASE_INVOKED;
import static io.distributedlock.testkit.history.EventKind.RELEASE_REPORTED_LOST;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.Limits;
import java.time.Duration;
import java.util.Optional;

/**
 * The definition of a lock: when each {@link Step} is allowed, and what it makes of the lock. A history conforms if
 * there is an order of steps that these rules allow and that explains all that was recorded.
 *
 * <p>A lock is a sequence of <em>holds</em>, each for one request, or for several that share it. The store alone knows
 * when a hold begins and ends; the records bound it by intervals of time, see {@link StoredHold}. So there are two
 * kinds of rules: {@link #allows} says what the store may do, {@link #life} what a caller may learn.
 */
final class LockSpecification {
    private LockSpecification() {}

    /** Whether the store, having this lock, may take the step for this hold at this instant. */
    static boolean allows(Step step, LockState lock, StoredHold hold, long at) {
        return switch (step) {
            // One at a time, or all that share.
            case GRANT -> hold.mayBegin(at) && (lock.isFree() || (hold.isShared() && lock.isOf(hold)));
            // A hand-over is both in one instant.
            case HAND_OVER -> allows(Step.RELEASE, lock, hold, at) || allows(Step.EXPIRE, lock, hold, at);
            // Changes nothing here: only a hold that has begun and not ended is renewed, and only its caller can do
            // it.
            case RENEW -> lock.isOf(hold) && lock.known();
            // Exceeds every earlier token. The hold that has it is the one that the caller learns of.
            case DRAW_TOKEN -> lock.isOf(hold) && !lock.known() && hold.isOnItsWay(at) && tokenGrows(lock, hold);
            // Every hold lasts while its holder believes in it. What ends it, if the holder does not:
            case RELEASE -> mayEnd(lock, hold, at) && hold.call().at(RELEASE_INVOKED) <= at;
            case EXPIRE -> mayEnd(lock, hold, at) && hold.call().isGranted();
            case CLEAN_UP -> mayEnd(lock, hold, at) && !hold.call().isGranted();
            case FORGET -> lock.isOf(hold) && hold.isExcused(at);
            // A refused request was kept out by another hold.
            case REFUSE -> isHeldAgainst(lock, hold);
            // What the caller does and learns has no condition in the store: see life.
            case REQUEST, UNKNOWN, LOSE -> true;
        };
    }

    private static boolean mayEnd(LockState lock, StoredHold hold, long at) {
        return lock.isOf(hold) && (lock.known() ? !hold.isKept(at) : !hold.mustLast(at));
    }

    private static boolean isHeldAgainst(LockState lock, StoredHold hold) {
        return !lock.isFree() && !lock.isOf(hold);
    }

    static boolean tokenGrows(LockState lock, StoredHold hold) {
        return hold.token() == 0 || hold.token() > Math.max(lock.token(), hold.isShared() ? 0 : lock.shares());
    }

    /**
     * What a call may live to see, in the order of time, and what is wrong with this one: it is answered once and in
     * time; a grant is released or lost, once; and a release that reports a loss comes with the signal of that loss.
     */
    static Optional<String> life(Call call, Limits limits, long standstill) {
        Stage stage = Stage.NEW;
        for (Event event : call.events()) {
            Optional<Stage> next = stage.after(event.kind());
            if (next.isEmpty()) {
                return Optional.of(event.kind() + " when the call was " + stage);
            }
            stage = next.get();
        }
        if (!stage.isEnd() && !call.isKilled()) {
            return Optional.of("the call stayed " + stage);
        }
        Duration patience = Duration.ofMillis(call.events().get(0).value())
                .plus(limits.commandTimeout().multipliedBy(2))
                .plus(limits.schedulingSlack());
        long answered = call.isGranted() ? call.grantedAt() : call.endedAt();
        long taken = answered - call.begin() - standstill;
        return taken > patience.toNanos()
                ? Optional.of("answered after " + taken / 1_000_000 + " of at most " + patience.toMillis() + " ms")
                : Optional.empty();
    }

    /** How far a call has come. */
    private enum Stage {
        NEW,
        REQUESTED,
        REFUSED,
        HELD,
        RELEASING,
        RELEASED,
        LOST_UNTOLD,
        LOST;

        Optional<Stage> after(EventKind kind) {
            return Optional.ofNullable(
                    switch (kind) {
                        case INVOKE -> this == NEW ? REQUESTED : null;
                        case GRANTED -> this == REQUESTED ? HELD : null;
                        case HELD_BY_OTHER, NOT_ASKED, UNKNOWN, UNAVAILABLE, INTERRUPTED ->
                            this == REQUESTED ? REFUSED : null;
                        case ENTER, ACCEPTED, OVERLAP, EXIT -> this == HELD || this == LOST ? this : null;
                        case RELEASE_INVOKED -> this == HELD ? RELEASING : this == LOST ? LOST : null;
                        case RELEASED -> this == RELEASING ? RELEASED : null;
                        case RELEASE_REPORTED_LOST -> this == RELEASING ? LOST_UNTOLD : this == LOST ? LOST : null;
                        case LOST -> this == HELD || this == RELEASING || this == LOST_UNTOLD ? LOST : null;
                        case CLIENT_KILLED -> this;
                    });
        }

        boolean isEnd() {
            return this == REFUSED || this == RELEASED || this == LOST;
        }
    }
}
