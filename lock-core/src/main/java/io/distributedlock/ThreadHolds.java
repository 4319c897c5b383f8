package io.distributedlock;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each thread has locked through the {@link ThreadLock}s of one client, and how often. */
final class ThreadHolds {

    private final ThreadLocal<@Nullable Map<LockId, Counted>> mine = new ThreadLocal<>();

    /** One lock of one thread. Its context makes calls of a {@link LockTemplate} inside it run under it, too. */
    private static final class Counted {

        private final HeldLock lock;
        private final EnteredLock context;
        private int count = 1;

        Counted(HeldLock lock) {
            this.lock = lock;
            this.context = EnteredLock.enter(lock);
        }
    }

    /** Counts one more if this thread has the lock already. Gives whether it has. */
    boolean reenter(LockId id) {
        Map<LockId, Counted> all = mine.get();
        Counted held = all == null ? null : all.get(id);
        if (held == null) {
            return false;
        }
        held.lock.requireHeld();
        held.count = Math.incrementExact(held.count);
        return true;
    }

    void enter(LockId id, HeldLock lock) {
        Map<LockId, Counted> all = mine.get();
        if (all == null) {
            all = new HashMap<>();
            mine.set(all);
        }
        all.put(id, new Counted(lock));
    }

    /**
     * Counts one less. Gives the lock if that was the last one, else null.
     *
     * @throws IllegalMonitorStateException if this thread does not have the lock
     */
    @Nullable
    HeldLock leave(LockId id) {
        Map<LockId, Counted> all = mine.get();
        Counted held = all == null ? null : all.get(id);
        if (all == null || held == null) {
            throw new IllegalMonitorStateException(
                    "Thread '" + Thread.currentThread().getName() + "' unlocks the lock '" + id.display()
                            + "', but it has not locked it");
        }
        if (--held.count > 0) {
            return null;
        }
        held.context.leave();
        all.remove(id);
        if (all.isEmpty()) {
            mine.remove();
        }
        return held.lock;
    }
}
