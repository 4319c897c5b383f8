package io.distributedlock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Locks that somebody else may have changed, as the store has heard: gathers them for a moment, and then has all of them asked for together.
 *
 * <p>A hint can be mistaken, and what comes of asking can lead to the next mistaken one: a server that remembers too little of what was read gives
 * one for whatever it forgets. So after hints of which none was true, the next ones wait for a second.
 */
final class Hearsay {

    static final Duration GATHERING = Duration.ofMillis(10);
    static final Duration DISTRUST = Duration.ofSeconds(1);
    static final int MAX_IDS = 10_000;

    private final Set<String> ids = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean any = new AtomicBoolean();
    private final AtomicBoolean planned = new AtomicBoolean();
    private final Timeline time;
    private final Function<Set<String>, List<Tenure>> asking;
    private volatile List<Tenure> asked = List.of();

    /** @param asking asks for the locks of these ids, or for all if it is given none, and gives which ones it has asked for */
    Hearsay(Timeline time, Function<Set<String>, List<Tenure>> asking) {
        this.time = time;
        this.asking = asking;
    }

    /** Does not block. No ids mean that it may be any lock. */
    void heard(Collection<String> changed) {
        if (changed.isEmpty() || ids.size() >= MAX_IDS) {
            any.set(true);
        } else {
            ids.addAll(changed);
        }
        if (planned.compareAndSet(false, true)) {
            time.after(GATHERING, this::gathered);
        }
    }

    private void gathered() {
        if (isDistrusted()) {
            time.after(GATHERING, this::gathered);
            return;
        }
        planned.set(false);
        Set<String> some = Set.copyOf(ids);
        some.forEach(ids::remove);
        List<Tenure> round = asking.apply(any.getAndSet(false) ? Set.of() : some);
        asked = round;
        time.after(DISTRUST, () -> forget(round));
    }

    private void forget(List<Tenure> round) {
        if (asked == round) {
            asked = List.of();
        }
    }

    /** Whether nothing has come of the last hints, or not yet. */
    private boolean isDistrusted() {
        List<Tenure> last = asked;
        return !last.isEmpty() && last.stream().noneMatch(Tenure::isOver);
    }
}
