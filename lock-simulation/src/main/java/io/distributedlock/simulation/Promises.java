package io.distributedlock.simulation;

import io.distributedlock.LockLostException;
import io.distributedlock.LossReason;
import io.distributedlock.simulation.clock.Timeline;
import io.distributedlock.simulation.network.ServerHost;
import io.distributedlock.spi.LockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What has to be true in every step of a run, whatever happens. */
final class Promises {

    private static final long SOON = Duration.ofMillis(5_000).toNanos();
    private static final long ANSWERED = Duration.ofSeconds(1).toNanos();
    private static final long MILLI = 1_000_000;
    private static final int CLIENT_LETTERS = 8;

    private final Map<String, List<Hold>> holds = new HashMap<>();
    private final Map<String, Long> grantedAt = new HashMap<>();
    private final Map<String, Client> clients = new HashMap<>();
    private final Map<String, Long> tokens = new HashMap<>();
    private final Map<String, Long> strangers = new HashMap<>();
    private final Map<String, Kept> kept = new HashMap<>();
    private final List<String> broken = new ArrayList<>();
    private final Timeline timeline;
    private final ServerHost host;
    private final StoredLocks stored;
    private final boolean calm;
    private long dataLostAt = Long.MIN_VALUE / 2;
    private long setForwardAt = Long.MIN_VALUE / 2;
    private long setForwardNanos;
    private boolean tokensMayRepeat;
    private boolean dataLost;
    private long setBackMillis;

    /** A lock that its owner has released, but keeps until then. */
    private record Kept(String owner, long until) {}

    Promises(Timeline timeline, ServerHost host, boolean calm) {
        this.timeline = timeline;
        this.host = host;
        this.stored = new StoredLocks(host.redis());
        this.calm = calm;
    }

    List<String> broken() {
        return broken;
    }

    StoredLocks stored() {
        return stored;
    }

    /** The server forgets locks, or ends leases early. */
    void dataIsLost() {
        dataLostAt = timeline.now();
        dataLost = true;
        tokensMayRepeat |= setBackMillis > 0;
        kept.clear();
    }

    void clockIsSetForward(Duration by) {
        dataIsLost();
        setForwardAt = timeline.now();
        setForwardNanos += by.toNanos();
    }

    void clockIsSetBack(Duration by) {
        setBackMillis += by.toMillis();
        tokensMayRepeat |= dataLost;
    }

    /** The server has forgotten the counter, and its clock, which replaces it, was set back. */
    boolean tokensMayRepeat() {
        return tokensMayRepeat;
    }

    private boolean isExcused(Hold hold) {
        return isOfBeforeLoss(hold) || isCountedTooLong(hold);
    }

    /**
     * The message of a grant counts from the refusal of its call, by the server's clock. If that was set forward in
     * between and the message is late, the holder counts on the lock for longer than its lease, by as much at most.
     */
    private boolean isCountedTooLong(Hold hold) {
        long end = hold.since() + Math.min(hold.ttlNanos(), LockStore.LONGEST_DIRECT_LEASE.toNanos());
        return hold.asked() <= setForwardAt
                && setForwardAt <= hold.since()
                && end - MILLI <= timeline.now()
                && timeline.now() < end + setForwardNanos;
    }

    /** Exclusion is promised again when each lease of before has ended. */
    private boolean isOfBeforeLoss(Hold hold) {
        boolean before = hold.since() <= dataLostAt
                || (hold.client().pausedUntil() > dataLostAt
                        && hold.since() <= hold.client().pausedUntil() + SOON);
        return before
                && timeline.now()
                        < dataLostAt + hold.ttlNanos() + SOON + hold.client().paused();
    }

    /** An answer may come long after what it says has happened. */
    void written(String id) {
        String owner = stored.owner(id);
        if (owner != null) {
            firstGranted(owner);
        }
    }

    long firstGranted(String owner) {
        return grantedAt.computeIfAbsent(owner, fresh -> timeline.now());
    }

    void granted(Hold hold, boolean fenced) {
        clients.putIfAbsent(hold.owner().substring(0, CLIENT_LETTERS), hold.client());
        List<Hold> all = holds.computeIfAbsent(hold.id(), fresh -> new ArrayList<>(2));
        if (hold.handle().isHeld()) {
            for (Hold other : all) {
                boolean together = hold.handle().isShared() && other.handle().isShared();
                if (!together && other.isBelieved() && !isExcused(other) && !isExcused(hold)) {
                    broken("two holders: " + hold + " and " + other);
                }
            }
            check(hold);
        }
        all.add(hold);
        long token = hold.handle().hold().fencingToken();
        if (fenced && !hold.handle().isShared()) {
            Long before = tokens.put(hold.id(), token);
            if (before != null && token <= before && !tokensMayRepeat && !isExcused(hold)) {
                broken("token " + token + " after " + before + " of " + hold);
            }
        }
    }

    /** @param lasts whether nothing but its release may end it */
    void releases(Hold hold, boolean lasts) {
        check(hold);
        List<Hold> all = holds.get(hold.id());
        if (all != null) {
            all.remove(hold);
        }
        if (lasts && calm && !hold.handle().isHeld()) {
            broken("a renewed lock was lost: " + hold);
        }
    }

    /**
     * A hold has ended, but its lock is to stay taken. A client that can't reach the server in time can't see to that:
     * the lease ends it then.
     */
    void kept(Hold hold, long until) {
        boolean enough = stored.has(hold.id(), hold.owner())
                && timeline.now() + stored.millisLeft(hold.id()) * 1_000_000L >= until;
        if (enough) {
            kept.put(hold.id(), new Kept(hold.owner(), until));
        } else if (!isExcused(hold)
                && !hold.client().link().isBehind()
                && hold.client().calmFor(host.isUp()).toNanos() > SOON) {
            broken("the min-hold of " + hold + " ended with its release");
        }
    }

    /** Whether a process believes that it has the lock. */
    boolean isBelieved(String id) {
        return holds.getOrDefault(id, List.of()).stream().anyMatch(Hold::isBelieved);
    }

    /**
     * Whether a process believes that it has the lock, or has no answer yet about one that it had when its machine was
     * suspended.
     */
    boolean mayCountOnLock(Client client, String id) {
        return holds.getOrDefault(id, List.of()).stream()
                .filter(hold -> hold.client() == client)
                .anyMatch(hold -> hold.handle().isHeld() || awaitsAnswer(hold, hold.denied(timeline.now())));
    }

    /** @param agreed whether the client and the server agreed that it was held when its release began */
    void lost(Hold hold, LockLostException loss, boolean agreed) {
        if (agreed
                && !isExcused(hold)
                && (loss.reason() == LossReason.NOT_OWNER || loss.reason() == LossReason.ABSENT)) {
            broken("false loss " + loss.reason() + " of " + hold);
        }
    }

    /** One hold, now. */
    private void check(Hold hold) {
        if (isExcused(hold) || hold.client().isStill() || stored.has(hold.id(), hold.owner())) {
            return;
        }
        if (hold.handle().isHeld()) {
            broken("held without the server: " + hold);
        } else if (!hold.isSignalled() && !awaitsAnswer(hold, hold.denied(timeline.now()))) {
            broken("a loss was not signalled before the lock could be granted again: " + hold);
        }
    }

    /**
     * A process whose machine was suspended finds out when it is asked for the lock. It signals the loss when the
     * server has answered, or when the lease is over by its own clock.
     */
    private boolean awaitsAnswer(Hold hold, long askedAt) {
        Client client = hold.client();
        boolean couldAsk = !client.link().isBehind()
                && client.calmFor(host.isUp()).toNanos() > ANSWERED
                && timeline.now() - askedAt > ANSWERED;
        return client.hasSleptSince(hold.since()) && !hold.isKnownToBeOver() && !couldAsk;
    }

    /** @param calls the locks that calls of a client are under way for */
    void check(Collection<Client> all, Map<String, Map<Client, Integer>> calls) {
        holds.values().forEach(each -> each.forEach(this::check));
        kept.entrySet().removeIf(each -> timeline.now() >= each.getValue().until());
        kept.forEach((id, each) -> {
            if (!stored.has(id, each.owner())) {
                broken("the min-hold of " + each.owner() + " ended early at " + id);
            }
        });
        boolean up = host.isUp();
        boolean undisturbed = true;
        for (Client client : all) {
            boolean calmNow = client.calmFor(up).toNanos() > SOON;
            undisturbed &= calmNow || client.process().isEnded();
        }
        checkStrangers(calls, undisturbed);
    }

    /** Owners that no caller of theirs knows of must not stay. */
    private void checkStrangers(Map<String, Map<Client, Integer>> calls, boolean undisturbed) {
        Map<String, String> present = new HashMap<>();
        stored.forEachOwner((id, owner) -> {
            if (isStranger(id, owner, calls)) {
                present.put(owner, id);
            }
        });
        strangers.keySet().retainAll(present.keySet());
        for (Map.Entry<String, String> each : present.entrySet()) {
            long since = strangers.computeIfAbsent(each.getKey(), fresh -> timeline.now());
            if (undisturbed && timeline.now() - since > SOON) {
                broken("nothing takes back " + each.getKey() + " at " + each.getValue() + ", which ends in "
                        + stored.millisLeft(each.getValue()) + " ms");
            }
        }
    }

    private boolean isStranger(String id, String owner, Map<String, Map<Client, Integer>> calls) {
        for (Hold hold : holds.getOrDefault(id, List.of())) {
            if (hold.owner().equals(owner)) {
                return false;
            }
        }
        // Where a clock was set back, leases last longer than a client can know.
        if (id.startsWith("distributed-lock:") || kept.containsKey(id) || stored.millisLeft(id) <= setBackMillis) {
            return false;
        }
        Client client = clients.get(owner.substring(0, CLIENT_LETTERS));
        if (client == null || client.process().isEnded()) {
            return false;
        }
        return calls.getOrDefault(id, Map.of()).getOrDefault(client, 0) == 0;
    }

    /** The client that has made the owner; null if that is not known. */
    @Nullable
    Client maker(String owner) {
        return clients.get(owner.substring(0, CLIENT_LETTERS));
    }

    /** Holds of processes that have ended count no more. */
    void forget(Client ended) {
        for (Iterator<List<Hold>> each = holds.values().iterator(); each.hasNext(); ) {
            each.next().removeIf(hold -> hold.client() == ended);
        }
    }

    void broken(String what) {
        broken.add(timeline.now() / 1_000 + " us: " + what);
    }
}
