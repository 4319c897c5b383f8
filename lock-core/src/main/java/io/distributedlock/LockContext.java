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
     * Fails unless the current thread runs under a lock, for example because a method was called through {@code this}.
     *
     * @throws IllegalStateException if it runs under none
     * @throws LockLostException if one of its locks is lost
     */
    public static void requireHeld() {
        requireHeld(current(), "a lock");
    }

    /**
     * The same for a lock of this name.
     *
     * @throws IllegalStateException if the current thread runs under no lock of this name
     * @throws LockLostException if one of them is lost
     */
    public static void requireHeld(String name) {
        requireHeld(
                current().stream().filter(lock -> lock.name().equals(name)).toList(),
                "a lock with the name '" + name + "'");
    }

    private static void requireHeld(List<LockHandle> locks, String wanted) {
        if (locks.isEmpty()) {
            throw new IllegalStateException("This thread does not run under " + wanted
                    + ". Call the locked method through its Spring bean and not through 'this', or take the lock by"
                    + " LockTemplate; in another thread, enter it by LockContext.callUnder");
        }
        locks.forEach(LockHandle::requireHeld);
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
