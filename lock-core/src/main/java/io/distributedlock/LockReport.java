package io.distributedlock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One lock as people see it who look into an incident. Its key may contain user data. The owner is a short hash: it
 * distinguishes two owners, and no client can release a lock with it. Durations are in whole milliseconds.
 */
public sealed interface LockReport {

    /** The lock's identity: name and key, encoded as in the store. */
    String id();

    /**
     * A lock that is held through this client.
     *
     * @param state held, or at risk
     * @param age since when it has been held
     * @param remaining what is left of its lease
     * @param thread the name of the thread that acquired it; null for a lock that belongs to no thread
     */
    record Held(
            String id,
            String name,
            String owner,
            LockState state,
            Duration age,
            Duration remaining,
            @Nullable String thread)
            implements LockReport {}

    /**
     * A request that this client has not answered yet.
     *
     * @param age since when it waits
     */
    record Awaited(String id, String name, Duration age) implements LockReport {}

    /**
     * A lock as the store sees it, whichever process holds it.
     *
     * @param owner one of its owners
     * @param holders how many hold it, which is more than one only if they share it
     * @param remaining what is left of the longest lease; null if it never ends, because something else than a lock
     *     client wrote it
     * @param waiting how many requests of all processes are queued for it; null if that is not known
     * @param heldHere whether it is held through this client
     */
    record Stored(
            String id,
            String owner,
            int holders,
            @Nullable Duration remaining,
            @Nullable Integer waiting,
            boolean heldHere)
            implements LockReport {}

    /**
     * One of all locks that are held, in whichever process.
     *
     * @param owner the one that is named first, or alone
     * @param holders who holds it; more than one only if they share it
     * @param holderCount how many hold it, as far as they are counted
     * @param remaining as in {@link Stored}
     * @param heldHere whether it is held through this client
     * @param waiting as in {@link Stored}
     * @param waiters the first ones in its queue, in their order; empty if they are not known
     */
    record Listed(
            String id,
            LockMode mode,
            String owner,
            List<LockHolder> holders,
            int holderCount,
            @Nullable Duration remaining,
            boolean heldHere,
            @Nullable Integer waiting,
            List<LockHolder> waiters)
            implements LockReport {

        public Listed {
            holders = List.copyOf(holders);
            waiters = List.copyOf(waiters);
        }
    }

    /**
     * Something that went wrong with a lock of a name.
     *
     * @param at when, by the wall clock of the process that wrote it
     * @param what {@code lost}; {@code forced}, if the client has taken it from its holder by force; {@code late}, if
     *     it was granted after a second or more; or {@code refused}, if it was not granted after a wait
     * @param reason why it was lost, a {@link LossReason} in lower case with hyphens; else null
     * @param time how long it was held, or waited for
     * @param client who wrote it
     * @param leftOut how many incidents this client has left out just before
     */
    record Incident(
            Instant at, String what, @Nullable String reason, Duration time, ClientIdentity client, int leftOut) {}
}
