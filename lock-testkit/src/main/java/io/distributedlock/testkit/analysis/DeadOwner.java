package io.distributedlock.testkit.analysis;

import io.distributedlock.testkit.history.Limits;

/**
 * An owner value that no call uses any more, and until when it may be seen in Redis.
 *
 * @param last the call that used it last
 * @param goneBy the instant from which on it must not be there
 */
public record DeadOwner(Call last, long goneBy) {
    /** Takes calls with the same owner as one: those to which a process has handed its grant on. */
    public DeadOwner and(DeadOwner other) {
        return other.goneBy > goneBy ? other : this;
    }

    /**
     * The owner of this call, alone; never gone if the call or its hold has not ended. What a process that was killed
     * had no time to take back ends by itself.
     */
    public static DeadOwner of(Call call, Timeline timeline) {
        if (call.endedAt() == Call.NEVER) {
            return new DeadOwner(call, Call.NEVER);
        }
        Limits limits = timeline.limits();
        Windows late = timeline.lateRequests(call.process());
        long allowed = limits.orphan().toNanos();
        long leftBehind = (call.isGranted() ? limits.lease() : limits.probation()).toNanos();
        if (call.isKilled()) {
            allowed = leftBehind;
        }
        if (late.touch(call.begin(), call.endedAt())) {
            allowed = Math.max(allowed, limits.probation().toNanos());
        }
        long dead = late.lastEnd(call.begin(), call.endedAt());
        long goneBy = timeline.outages(call.process()).after(dead, allowed);
        if (call.killedAt() <= goneBy) {
            goneBy = Math.max(goneBy, timeline.outages(call.process()).after(dead, leftBehind));
        }
        return new DeadOwner(call, goneBy + limits.schedulingSlack().toNanos());
    }
}
