package io.distributedlock.simulation;

import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.internal.store.OwnerOrigin;
import io.distributedlock.simulation.clock.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether a call that was refused could have been refused: while it went on, another call had the lock, or may have had
 * it.
 */
final class Refusals {

    /** The time in an owner is not more exact than this. */
    private static final long A_MOMENT = 40_000_000;

    private final Map<String, List<Watched>> present = new HashMap<>();
    private final Map<String, Long> lastGranted = new HashMap<>();
    private final Map<String, Long> lastEnded = new HashMap<>();
    private final Timeline timeline;
    private final Promises promises;

    Refusals(Timeline timeline, Promises promises) {
        this.timeline = timeline;
        this.promises = promises;
    }

    /** A call that goes on. */
    static final class Watched {

        private final Client client;
        private final String id;
        /** What owners that are made from now on have in common: their time. */
        private final int tick;

        private boolean justified;

        private Watched(Client client, String id, int tick) {
            this.client = client;
            this.id = id;
            this.tick = tick;
        }

        /** Whether another call has made this owner: of another client, or earlier. */
        private boolean isKeptOutBy(String owner, @Nullable Client maker) {
            return (maker != null && maker != client)
                    || OwnerOrigin.of(owner).filter(made -> made.tick() < tick).isPresent();
        }
    }

    Watched watch(Client client, String id) {
        Watched fresh = new Watched(client, id, client.tick());
        List<Watched> others = present.computeIfAbsent(id, none -> new ArrayList<>());
        boolean justNow = timeline.now() - lastEnded.getOrDefault(id, -A_MOMENT) < A_MOMENT;
        fresh.justified = justNow || !others.isEmpty() || promises.stored().isTaken(id) || promises.isBelieved(id);
        others.forEach(other -> other.justified = true);
        others.add(fresh);
        return fresh;
    }

    /** The server has given the lock to an owner, or to several. */
    void written(String id) {
        List<Watched> waiting = present.getOrDefault(id, List.of());
        if (!waiting.isEmpty()) {
            String owner = promises.stored().owner(id);
            waiting.forEach(each ->
                    each.justified = each.justified || owner == null || each.isKeptOutBy(owner, promises.maker(owner)));
        }
    }

    /** The server has other data now, with locks that were released since. */
    void dataReplaced() {
        present.keySet().forEach(this::written);
    }

    void ended(Watched call, boolean granted, @Nullable LockNotAcquiredException refusal) {
        List<Watched> others = present.getOrDefault(call.id, List.of());
        others.remove(call);
        lastEnded.put(call.id, timeline.now());
        if (granted) {
            lastGranted.put(call.id, timeline.now());
        }
        // A process whose machine has slept may not know yet that a lock of its own has ended meanwhile.
        boolean excused = call.client.isStill() || promises.mayCountOnLock(call.client, call.id);
        if (refusal != null && !call.justified && !excused) {
            promises.broken("a false refusal: no other call had or wanted " + call.id + " while it went on; the last"
                    + " grant was at " + lastGranted.get(call.id) + "; " + refusal.getMessage());
        }
    }
}
