package io.distributedlock.internal.client;

import io.distributedlock.LockHandle;
import io.distributedlock.LockId;
import io.distributedlock.LockMode;
import io.distributedlock.LockRequest;
import io.distributedlock.internal.lease.CompositeLockHandle;
import io.distributedlock.internal.lease.SingleLockHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One lock that a thread runs under, in the list of all locks that it runs under. */
public final class EnteredLock {

    private static final ThreadLocal<@Nullable List<EnteredLock>> ENTERED = new ThreadLocal<>();

    private final SingleLockHandle lock;
    private volatile boolean left;

    private EnteredLock(SingleLockHandle lock) {
        this.lock = lock;
    }

    /** All locks of the current thread, the innermost first. */
    public static List<LockHandle> current() {
        List<LockHandle> locks = new ArrayList<>();
        entered().forEach(context -> locks.add(0, context.lock));
        return List.copyOf(locks);
    }

    /**
     * The wanted locks that the thread holds already.
     *
     * @throws IllegalStateException if it shares a lock that is wanted alone: it would wait for itself
     */
    static List<SingleLockHandle> covering(Engine engine, LockRequest request) {
        List<EnteredLock> entered = entered();
        if (entered.isEmpty()) {
            return List.of();
        }
        List<SingleLockHandle> covering = new ArrayList<>();
        for (LockId id : request.ids()) {
            entered.stream()
                    .filter(context -> context.lock.isOf(engine, id))
                    .filter(context -> isWideEnough(context.lock, request, id))
                    .findFirst()
                    .ifPresent(context -> covering.add(context.lock));
        }
        return covering;
    }

    /** A share that was lost covers nothing more, and hinders no request. */
    private static boolean isWideEnough(SingleLockHandle lock, LockRequest request, LockId id) {
        boolean narrower = lock.isShared() && request.mode() == LockMode.EXCLUSIVE;
        if (narrower && lock.isHeld()) {
            throw new IllegalStateException("Lock '" + id.display()
                    + "' is wanted alone by a thread that shares it already, so that it would wait for"
                    + " itself. Take it exclusively from the start, or release the share before");
        }
        return !narrower;
    }

    /**
     * The thread runs under this lock, or these, until it runs what this returns. A handle that is not ours covers
     * nothing.
     */
    public static Runnable enter(LockHandle handle) {
        if (handle instanceof SingleLockHandle lock) {
            return enter(lock)::leave;
        }
        if (!(handle instanceof CompositeLockHandle)) {
            return () -> {};
        }
        List<EnteredLock> contexts = CompositeLockHandle.partsOf(handle).stream()
                .map(EnteredLock::enter)
                .toList();
        return () -> contexts.forEach(EnteredLock::leave);
    }

    static EnteredLock enter(SingleLockHandle lock) {
        List<EnteredLock> entered = ENTERED.get();
        if (entered == null) {
            entered = new ArrayList<>();
            ENTERED.set(entered);
        }
        EnteredLock context = new EnteredLock(lock);
        entered.add(context);
        return context;
    }

    /**
     * The thread does not run under this lock any more. Locks that outlast their call are left in any order, and
     * perhaps on another thread; the entering thread then forgets them when it looks next.
     */
    void leave() {
        left = true;
        entered();
    }

    private static List<EnteredLock> entered() {
        List<EnteredLock> entered = ENTERED.get();
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
