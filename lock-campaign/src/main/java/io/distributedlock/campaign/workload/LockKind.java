package io.distributedlock.campaign.workload;

import io.distributedlock.testkit.history.CallTerms;
import io.distributedlock.testkit.history.CallTerms.Bond;
import java.util.List;

/** What kind of lock a thread wants. */
enum LockKind {
    /** One lock, held alone. */
    ALONE(false, Bond.NONE),
    /** One lock, shared with other holders. */
    SHARED(true, Bond.NONE),
    /** Two locks as one. */
    PAIR(false, Bond.ALL),
    /** Shares of two locks as one. */
    SHARED_PAIR(true, Bond.ALL),
    /** Whichever segment is free: each contended key is a segment of one lock. */
    ANY(false, Bond.ANY);

    private final boolean shared;
    private final Bond bond;

    LockKind(boolean shared, Bond bond) {
        this.shared = shared;
        this.bond = bond;
    }

    boolean isShared() {
        return shared;
    }

    /**
     * The positions of the locks that are asked for together, one for a lock alone; {@code contended} is how many of
     * them all threads use.
     */
    List<Integer> positions(int key, int contended) {
        return switch (bond) {
            case NONE -> List.of(key);
            case ALL -> List.of(key, (key + 1) % contended);
            case ANY -> throw new IllegalStateException("which lock is asked for first depends on the caller");
        };
    }

    /** @param group unique in the history */
    CallTerms terms(String group) {
        return new CallTerms(shared, bond, bond == Bond.NONE ? "" : group);
    }
}
