package io.distributedlock.internal.time;

/**
 * Until when the store keeps a lease at least, as it has confirmed to one command.
 *
 * @param instant on the monotonic clock, which stands still while the machine is suspended
 * @param suspendedBefore for how long the machine had been suspended in all when the command was sent, as far as that
 *     is known
 */
public record Deadline(long instant, long suspendedBefore) {

    private static final long NEVER_CONFIRMED_AGAIN = Long.MAX_VALUE;

    /** The same as the end: whatever is confirmed later, this is the one to rely on. */
    public Deadline forGood() {
        return new Deadline(instant, NEVER_CONFIRMED_AGAIN);
    }

    public boolean isForGood() {
        return suspendedBefore == NEVER_CONFIRMED_AGAIN;
    }

    /**
     * The one to rely on: one that was confirmed after a suspension instead of one from before, because the lease has
     * run on meanwhile; and else the later one, because both were confirmed.
     */
    public Deadline or(Deadline other) {
        if (suspendedBefore != other.suspendedBefore) {
            return other.suspendedBefore - suspendedBefore > 0 ? other : this;
        }
        return other.instant - instant > 0 ? other : this;
    }
}
