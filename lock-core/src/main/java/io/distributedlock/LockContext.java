package io.distributedlock;

import io.distributedlock.spi.LockMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The locks that the current thread runs under, as {@link LockTemplate} took them. It belongs to the thread: work that is handed to another
 * thread does not carry it along, but can {@linkplain #callUnder enter} it there.
 */
public final class LockContext {

    private static final ThreadLocal<@Nullable List<LockContext>> ENTERED = new ThreadLocal<>();

    private final HeldLock lock;
    private volatile boolean left;

    private LockContext(HeldLock lock) {
        this.lock = lock;
    }

    /** All locks of the current thread, the innermost first. */
    public static List<LockHandle> current() {
        List<LockHandle> locks = new ArrayList<>();
        entered().forEach(context -> locks.add(0, context.lock));
        return List.copyOf(locks);
    }

    /** The innermost lock of the current thread with this name, for its fencing token for example. */
    public static Optional<LockHandle> find(String name) {
        return current().stream().filter(lock -> lock.name().equals(name)).findFirst();
    }

    /**
     * Calls the part of asynchronous work that this thread does: meanwhile, {@code lock} is one of the {@linkplain #current() current} locks, and
     * covers further requests for it. Its release stays with whoever holds it.
     *
     * @throws X what {@code work} throws
     */
    public static <T extends @Nullable Object, X extends Throwable> T callUnder(LockHandle lock, LockedCall<T, X> work)
            throws X {
        if (!(lock instanceof HeldLock || lock instanceof JointLock)) {
            return work.call(lock);
        }
        Runnable leave = enter(lock);
        try {
            return work.call(lock);
        } finally {
            leave.run();
        }
    }

    /**
     * The wanted locks that the thread holds already.
     *
     * @throws IllegalStateException if it shares a lock that is wanted alone: it would wait for itself
     */
    static List<HeldLock> covering(LockClient client, LockRequest request) {
        List<LockContext> entered = entered();
        if (entered.isEmpty()) {
            return List.of();
        }
        List<HeldLock> covering = new ArrayList<>();
        for (LockRequest wanted : request.isForSeveral() ? request.oneByOne() : List.of(request)) {
            LockId id = wanted.id();
            entered.stream()
                    .filter(context -> client.isHeldHere(context.lock, id))
                    .findFirst()
                    .ifPresent(context -> covering.add(notNarrower(context.lock, wanted)));
        }
        return covering;
    }

    /** @throws IllegalStateException as {@link #covering} throws it */
    static void requireNotNarrower(LockClient client, LockRequest request) {
        covering(client, request);
    }

    private static HeldLock notNarrower(HeldLock lock, LockRequest request) {
        if (lock.isShared() && request.mode() == LockMode.EXCLUSIVE) {
            throw new IllegalStateException(
                    "Lock '" + request.id().display()
                            + "' is wanted alone by a thread that shares it already, so that it would wait for itself. Take it exclusively from the start, or release the share before");
        }
        return lock;
    }

    /** The thread runs under this lock, or these, until it runs what is given back. */
    static Runnable enter(LockHandle handle) {
        if (handle instanceof HeldLock lock) {
            return enter(lock)::leave;
        }
        List<LockContext> contexts =
                JointLock.partsOf(handle).stream().map(LockContext::enter).toList();
        return () -> contexts.forEach(LockContext::leave);
    }

    static LockContext enter(HeldLock lock) {
        List<LockContext> entered = ENTERED.get();
        if (entered == null) {
            entered = new ArrayList<>();
            ENTERED.set(entered);
        }
        LockContext context = new LockContext(lock);
        entered.add(context);
        return context;
    }

    /**
     * The thread does not run under this lock any more. Locks that outlast their call are left in any order, and perhaps on another thread; the
     * entering thread then forgets them when it looks next.
     */
    void leave() {
        left = true;
        entered();
    }

    private static List<LockContext> entered() {
        List<LockContext> entered = ENTERED.get();
        if (entered == null) {
            return List.of();
        }
        entered.removeIf(context -> context.left);
        if (entered.isEmpty()) {
            ENTERED.remove();
        }
        return entered;
    }
}
