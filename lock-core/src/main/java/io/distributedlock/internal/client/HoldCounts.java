package io.distributedlock.internal.client;

import io.distributedlock.LockId;
import io.distributedlock.LockMode;
import io.distributedlock.LockTemplate;
import io.distributedlock.internal.lease.SingleLockHandle;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each thread has locked through the {@link ReentrantLockAdapter}s of one client, and how often. */
final class HoldCounts {

    private final ThreadLocal<@Nullable Map<Wanted, Counted>> mine = new ThreadLocal<>();

    private record Wanted(LockId id, LockMode mode) {}

    /**
     * One lock of one thread. Its context makes calls of a {@link LockTemplate} inside it run under it, too. A lock
     * that the thread ran under before has none, and stays with the call that took it.
     */
    private static final class Counted {

        private final SingleLockHandle lock;
        private final @Nullable EnteredLock context;
        private int count = 1;

        Counted(SingleLockHandle lock, @Nullable EnteredLock context) {
            this.lock = lock;
            this.context = context;
        }
    }

    /** Counts one more if this thread has the lock already. Returns whether it has. */
    boolean reenter(LockId id, LockMode mode) {
        Map<Wanted, Counted> all = mine.get();
        Wanted counted = all == null ? null : counted(all, id, mode);
        Counted held = counted == null ? null : all.get(counted);
        if (held == null) {
            return false;
        }
        held.lock.requireHeld();
        held.count = Math.incrementExact(held.count);
        return true;
    }

    /** Under which of its locks a thread counts this one: a thread that has it alone takes a share of that. */
    private static Wanted counted(Map<Wanted, Counted> all, LockId id, LockMode mode) {
        Wanted wanted = new Wanted(id, mode);
        return all.containsKey(wanted) ? wanted : new Wanted(id, LockMode.EXCLUSIVE);
    }

    /** The thread has taken it. */
    void enter(LockId id, LockMode mode, SingleLockHandle lock) {
        put(new Wanted(id, mode), new Counted(lock, EnteredLock.enter(lock)));
    }

    /** The thread runs under it already, and does not release it here. */
    void enterUnder(LockId id, LockMode mode, SingleLockHandle lock) {
        put(new Wanted(id, mode), new Counted(lock, null));
    }

    private void put(Wanted wanted, Counted lock) {
        Map<Wanted, Counted> all = mine.get();
        if (all == null) {
            all = new HashMap<>();
            mine.set(all);
        }
        all.put(wanted, lock);
    }

    /**
     * Counts one less. Gives the lock if that was the last one and it is to be released, else null.
     *
     * @throws IllegalMonitorStateException if this thread does not have the lock
     */
    @Nullable
    SingleLockHandle leave(LockId id, LockMode mode) {
        Map<Wanted, Counted> all = mine.get();
        Wanted counted = all == null ? null : counted(all, id, mode);
        Counted held = counted == null ? null : all.get(counted);
        if (all == null || held == null) {
            throw new IllegalMonitorStateException(
                    "Thread '" + Thread.currentThread().getName() + "' unlocks the lock '" + id.display()
                            + "', but it has not locked it");
        }
        if (--held.count > 0) {
            return null;
        }
        all.remove(counted);
        if (all.isEmpty()) {
            mine.remove();
        }
        if (held.context == null) {
            return null;
        }
        held.context.leave();
        return held.lock;
    }
}
