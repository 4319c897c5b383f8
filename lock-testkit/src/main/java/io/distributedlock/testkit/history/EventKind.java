package io.distributedlock.testkit.history;

/** What a client did or was told. */
public enum EventKind {
    /**
     * A lock was asked for, before the call; the value is the wait time in milliseconds, the detail the {@linkplain
     * CallTerms terms}.
     */
    INVOKE,
    /** The call returned with the lock; the value is the fencing token, 0 if there is none. */
    GRANTED,
    /** The call returned without the lock because another owner has it. */
    HELD_BY_OTHER,
    /** The call failed and could not find out whether it had got the lock. */
    UNKNOWN,
    /** The call failed, and nothing was written to the server. */
    UNAVAILABLE,
    /** The call returned with another lock that was as good, and this one was not asked for. */
    NOT_ASKED,
    /** The calling thread was interrupted. */
    INTERRUPTED,
    /** The guarded work began. */
    ENTER,
    /** The guarded work found another call at work, by a means that needs no clock; the detail says whom. */
    OVERLAP,
    /** A guarded resource accepted a write; the value is the fencing token that came with it. */
    ACCEPTED,
    /** The guarded work ended. */
    EXIT,
    /** The lock is about to be released. */
    RELEASE_INVOKED,
    /** The release returned and reported nothing unusual. */
    RELEASED,
    /** The holder was told that the lock is lost; the detail is the reason. */
    LOST,
    /** The release returned and reported that the lock had been lost before; the detail is the reason. */
    RELEASE_REPORTED_LOST,
    /** The process of the client is about to be killed; key and hold are empty. */
    CLIENT_KILLED;

    /** Whether a call for a lock ends with this. */
    public boolean isOutcome() {
        return switch (this) {
            case GRANTED, HELD_BY_OTHER, NOT_ASKED, UNKNOWN, UNAVAILABLE, INTERRUPTED -> true;
            default -> false;
        };
    }
}
