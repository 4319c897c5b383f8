package io.distributedlock;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The locks that the current thread runs under, as {@link LockTemplate} took them. It belongs to the thread: work that is handed to another
 * thread does not carry it along.
 */
public final class LockContext {

    private static final ThreadLocal<LockContext> INNERMOST = new ThreadLocal<>();

    private final HeldLock lock;
    private final @Nullable LockContext outer;

    private LockContext(HeldLock lock, @Nullable LockContext outer) {
        this.lock = lock;
        this.outer = outer;
    }

    /** All locks of the current thread, the innermost first. */
    public static List<LockHandle> current() {
        List<LockHandle> locks = new ArrayList<>();
        for (LockContext context = INNERMOST.get(); context != null; context = context.outer) {
            locks.add(context.lock);
        }
        return List.copyOf(locks);
    }

    /** The innermost lock of the current thread with this name, for its fencing token for example. */
    public static Optional<LockHandle> find(String name) {
        return current().stream().filter(lock -> lock.name().equals(name)).findFirst();
    }

    static @Nullable HeldLock covering(LockClient client, LockId id) {
        for (LockContext context = INNERMOST.get(); context != null; context = context.outer) {
            if (client.isHeldHere(context.lock, id)) {
                return context.lock;
            }
        }
        return null;
    }

    static Scope enter(HeldLock lock) {
        LockContext outer = INNERMOST.get();
        INNERMOST.set(new LockContext(lock, outer));
        return () -> {
            if (outer == null) {
                INNERMOST.remove();
            } else {
                INNERMOST.set(outer);
            }
        };
    }

    /** The time in which a thread runs under a lock. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {

        @Override
        void close();
    }
}
