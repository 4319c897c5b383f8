package io.distributedlock.benchmarks.contender;

/**
 * What a caller was told at the end of a call.
 *
 * @param claim what it says about the lock
 * @param words how the library puts it: the value returned, or the exception
 */
public record Answer(Claim claim, String words) {

    /** What an answer says about the lock. */
    public enum Claim {
        GRANTED,
        HELD_BY_OTHER,
        RELEASED,
        /** The lock was no longer held when it was released. */
        LOST,
        /** Neither yes nor no: the call failed. */
        NONE
    }

    /** An exception that says nothing about the lock. */
    static Answer failed(Throwable failure) {
        return new Answer(Claim.NONE, failure.getClass().getSimpleName());
    }
}
