package io.distributedlock;

import io.distributedlock.internal.client.EnteredLock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The locks that the current thread runs under, as {@link LockTemplate} took them. It belongs to the thread: work that
 * is handed to another thread does not carry it along, but can {@linkplain #callUnder enter} it there.
 */
public final class LockContext {

    private LockContext() {}

    /** All locks of the current thread, the innermost first. */
    public static List<LockHandle> current() {
        return EnteredLock.current();
    }

    /** The innermost lock of the current thread with this name, for its fencing token for example. */
    public static Optional<LockHandle> find(String name) {
        return current().stream().filter(lock -> lock.name().equals(name)).findFirst();
    }

    /**
     * Calls the part of asynchronous work that this thread does: meanwhile, {@code lock} is one of the {@linkplain
     * #current() current} locks, and covers further requests for it. Its holder still has to release it.
     *
     * @throws X what {@code work} throws
     */
    public static <T extends @Nullable Object, X extends Throwable> T callUnder(LockHandle lock, LockedCall<T, X> work)
            throws X {
        Runnable leave = EnteredLock.enter(lock);
        try {
            return work.call(lock);
        } finally {
            leave.run();
        }
    }
}
