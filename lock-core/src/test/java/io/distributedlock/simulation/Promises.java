package io.distributedlock.simulation;

import io.distributedlock.LockLostException;
import io.distributedlock.LossReason;
import io.distributedlock.internal.lease.SingleLockHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What has to be true in every step of a simulation, whatever happens. */
final class Promises {

    /** A lock that was released, and that others wait for, is granted after so long at most. */
    private static final long MOST_IDLE_NANOS = 300_000_000L;

    private final SimulatedServer server;
    private final List<SingleLockHandle> granted = new ArrayList<>();
    private final Set<SingleLockHandle> lasting = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, Long> tokens = new HashMap<>();
    private final Map<String, Long> idleSince = new HashMap<>();
    private final Map<String, Kept> kept = new HashMap<>();
    private final List<String> broken = new ArrayList<>();

    /** A lock that its owner has released, but keeps until then by the server's clock. */
    private record Kept(String owner, long until) {}

    Promises(SimulatedServer server) {
        this.server = server;
    }

    List<String> broken() {
        return broken;
    }

    static String id(SingleLockHandle lock) {
        return lock.hold().id().encoded();
    }

    static String owner(SingleLockHandle lock) {
        return lock.hold().heldLease().claim().owner();
    }

    boolean isHeldInStore(SingleLockHandle lock) {
        return server.owners(id(lock)).contains(owner(lock));
    }

    /**
     * A grant.
     *
     * @param lasts whether nothing but its release may end it
     * @param ordered whether its token has to be larger than all before
     */
    void granted(SingleLockHandle lock, long token, boolean lasts, boolean ordered) {
        granted.add(lock);
        if (lasts) {
            lasting.add(lock);
        }
        Long before = tokens.put(id(lock), token);
        if (ordered && before != null && token <= before) {
            broken("token " + token + " after " + before, id(lock));
        }
    }

    /** Its holder is about to release the lock. */
    void endsNow(SingleLockHandle lock) {
        if (lasting.remove(lock) && !lock.isHeld()) {
            broken("a renewed lock was lost: " + lock, id(lock));
        }
    }

    void isKept(SingleLockHandle lock, long until) {
        kept.put(id(lock), new Kept(owner(lock), until));
    }

    /** @param wasHeld whether the client and the store agreed that it was held when its release began */
    void lost(SingleLockHandle lock, LockLostException loss, boolean wasHeld) {
        if (wasHeld && (loss.reason() == LossReason.NOT_OWNER || loss.reason() == LossReason.ABSENT)) {
            broken("false loss " + loss.reason() + " of " + lock, id(lock));
        }
    }

    /** @param awaited locks that calls wait for now */
    void check(Set<String> awaited) {
        for (SingleLockHandle lock : granted) {
            if (lock.isHeld() && !isHeldInStore(lock)) {
                broken("held without the store: " + lock + " of " + owner(lock), id(lock));
            }
        }
        granted.removeIf(lock -> !lock.isHeld());
        kept.forEach((id, each) -> {
            if (server.clock() - each.until() < 0 && !server.owners(id).contains(each.owner())) {
                broken("the min-hold of " + each.owner() + " ended early", id);
            }
        });
        if (server.trouble() == 0) {
            checkIdle(awaited);
        }
    }

    private void checkIdle(Set<String> awaited) {
        idleSince.keySet().retainAll(awaited);
        for (String id : awaited) {
            if (!server.owners(id).isEmpty() || !server.wasReleased(id)) {
                idleSince.remove(id);
            } else if (server.time().now()
                            - idleSince.computeIfAbsent(
                                    id, idle -> server.time().now())
                    > MOST_IDLE_NANOS) {
                broken("free although others wait for it", id);
            }
        }
    }

    void broken(String what, String id) {
        broken.add(server.time().elapsed() + " " + what + server.history(id));
    }
}
