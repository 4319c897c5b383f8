package io.distributedlock.spi;

/**
 * A definite answer to a release.
 *
 * @param outcome what the store found and did
 * @param settled true if nothing that was sent earlier for this claim can still be executed. False means that a late
 *     command may yet write the key again, so the release has to be repeated until that is impossible
 */
public record Release(Outcome outcome, boolean settled) {

    /** What a release found. */
    public enum Outcome {
        /** The owner still held the lock, and this release freed it. */
        RELEASED,
        /** The owner did not hold the lock any more, and no other owner did. */
        ABSENT,
        /** The owner did not hold the lock any more: another owner does, or the store can't tell. */
        NOT_OWNER
    }

    /** The answer of a store that does not tell an absent lock from one that another owner holds. */
    public static Release of(boolean held, boolean settled) {
        return new Release(held ? Outcome.RELEASED : Outcome.NOT_OWNER, settled);
    }

    public boolean held() {
        return outcome == Outcome.RELEASED;
    }
}
