package io.distributedlock.quorum;

import io.distributedlock.spi.Claim;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long a claim stays away after a vote that perhaps no claim has won: a random part of a window that begins at
 * twice the time that voting took and doubles each time, so that of several claims one soon comes alone.
 */
final class SplitBackoff {

    private static final int REMEMBERED = 1_024;
    private static final Duration MIN_ROUND = Duration.ofMillis(1);
    private static final Duration MAX_WINDOW = Duration.ofMillis(500);

    private final Object guard = new Object();

    /** By claim, the longest unused first; a forgotten one starts small again. Guarded by {@link #guard}. */
    private final Map<Claim, Integer> counts = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Claim, Integer> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** @param round how long the vote took */
    Duration next(Claim claim, Duration round) {
        int earlier;
        synchronized (guard) {
            earlier = counts.merge(claim, 1, Integer::sum) - 1;
        }
        Duration first = (round.compareTo(MIN_ROUND) > 0 ? round : MIN_ROUND).multipliedBy(2);
        Duration window = first.multipliedBy(1L << Math.min(earlier, 10));
        Duration bounded = window.compareTo(MAX_WINDOW) < 0 ? window : MAX_WINDOW;
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(bounded.toNanos()) + 1);
    }

    /** The claim has the lock, or does not come back. */
    void forget(Claim claim) {
        synchronized (guard) {
            counts.remove(claim);
        }
    }
}
