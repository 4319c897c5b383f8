package io.distributedlock.spring.metrics;

import io.distributedlock.LockStatistics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The figures of a client, asked for once for all the meters that are read together. */
final class ClientFigures {

    private static final long FRESH_NANOS = Duration.ofMillis(500).toNanos();

    private final Supplier<LockStatistics> source;
    private final UnaryOperator<String> tags;
    private volatile @Nullable Reading last;

    /** @param tags what stands for a lock name in tags */
    ClientFigures(Supplier<LockStatistics> source, UnaryOperator<String> tags) {
        this.source = source;
        this.tags = tags;
    }

    LockStatistics statistics() {
        return reading().statistics();
    }

    int held(String tag) {
        return reading().held().getOrDefault(tag, 0);
    }

    int waiting(String tag) {
        return reading().waiting().getOrDefault(tag, 0);
    }

    /** Not a number for a tag that stands for several names. */
    double ttlSeconds(String tag) {
        Duration ttl = statistics().ttls().get(tag);
        return ttl == null ? Double.NaN : ttl.toNanos() / 1e9;
    }

    private Reading reading() {
        Reading present = last;
        if (present == null || System.nanoTime() - present.takenAt() > FRESH_NANOS) {
            LockStatistics statistics = source.get();
            present = new Reading(statistics, byTag(statistics.held()), byTag(statistics.waiting()), System.nanoTime());
            last = present;
        }
        return present;
    }

    private Map<String, Integer> byTag(Map<String, Integer> byName) {
        Map<String, Integer> counts = new HashMap<>();
        byName.forEach((name, count) -> counts.merge(tags.apply(name), count, Integer::sum));
        return counts;
    }

    private record Reading(
            LockStatistics statistics, Map<String, Integer> held, Map<String, Integer> waiting, long takenAt) {}
}
