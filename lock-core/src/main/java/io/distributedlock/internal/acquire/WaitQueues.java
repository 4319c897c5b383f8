package io.distributedlock.internal.acquire;

import io.distributedlock.LockId;
import io.distributedlock.internal.lease.HeldLease;
import io.distributedlock.internal.lease.LocalState;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of all locks, each changed by one thread at a time. A lock without waiters is kept as its lease
 * alone, without a line.
 */
final class WaitQueues {

    private static final int GUARDS = 64;

    private final Map<LockId, LocalState> all = new ConcurrentHashMap<>();
    private final List<Lock> guards =
            IntStream.range(0, GUARDS).<Lock>mapToObj(i -> new ReentrantLock()).toList();

    /**
     * Changes the line of a lock. The step must neither block nor run callers' code; it gives what is to be done after
     * it.
     */
    Runnable change(LockId id, Function<WaitQueue, Runnable> step) {
        Lock guard = guardOf(id);
        guard.lock();
        try {
            LocalState before = all.get(id);
            WaitQueue line = before instanceof WaitQueue known ? known : new WaitQueue((HeldLease) before);
            Runnable deed = step.apply(line);
            keep(id, before, line);
            return deed;
        } finally {
            guard.unlock();
        }
    }

    private void keep(LockId id, @Nullable LocalState before, WaitQueue line) {
        LocalState after = line.reduced();
        if (after == null) {
            all.remove(id);
        } else if (after != before) {
            all.put(id, after);
        }
    }

    private Lock guardOf(LockId id) {
        return guards.get((id.hashCode() ^ (id.hashCode() >>> 16)) & (GUARDS - 1));
    }
}
