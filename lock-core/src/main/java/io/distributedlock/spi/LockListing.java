package io.distributedlock.spi;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A store that lists the locks that are held, of all processes, page by page. For people who look into an incident:
 * nothing that locks depends on it.
 */
public interface LockListing {

    /** How many of the claims in the queue of a lock are listed. */
    int MAX_WAITERS = 20;

    /** How many owners of a shared lock are listed. */
    int MAX_OWNERS = 100;

    /** How many locks may be asked for at once. */
    int MAX_LOCKS = 500;

    /**
     * The first page, or the next one. A lock that is held from before the first page until after the last one is on
     * one of them, as long as no server takes another's place meanwhile; one that is taken or released meanwhile may
     * be. It may be on two pages, but not twice on one.
     *
     * @param cursor null for the first page, or {@link Page#next()}
     * @param limit about how many locks a page has, from 1 to {@link #MAX_LOCKS}. One may have fewer, or none, although
     *     there are more; and some more
     * @return fails with a {@link StoreException} if the store does not answer, or refuses, or does not know the cursor
     */
    CompletionStage<Page> list(@Nullable String cursor, int limit);

    /**
     * Some of the locks.
     *
     * @param next the cursor of the next page; null if this is the last one
     * @param source what has answered, if the answer is not that of the whole store
     */
    record Page(
            List<ListedLock> locks,
            @Nullable String next,
            @Nullable String source) {

        public Page {
            locks = List.copyOf(locks);
        }
    }

    /**
     * A lock that is held.
     *
     * @param id as in {@link Claim#id()}
     * @param waiters the first claims of its queue, in their order; empty if they are not known
     */
    record ListedLock(String id, StoredLock lock, List<WaitingClaim> waiters) {

        public ListedLock {
            waiters = List.copyOf(waiters);
        }
    }

    /**
     * A claim that waits. A client that knows an owner can withdraw its claim, so {@link #toString()} leaves it out.
     *
     * @param waited for how long it has been in the queue
     */
    record WaitingClaim(String owner, Duration waited) {

        @Override
        public String toString() {
            return "WaitingClaim[" + waited.toMillis() + " ms]";
        }
    }
}
