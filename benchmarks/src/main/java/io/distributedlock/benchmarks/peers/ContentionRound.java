package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.child.Order;
import io.distributedlock.benchmarks.child.Outcome;
import io.distributedlock.benchmarks.child.ProcessGroup;
import io.distributedlock.benchmarks.figures.Fairness;
import io.distributedlock.benchmarks.figures.Headings;
import io.distributedlock.benchmarks.figures.Round;
import io.distributedlock.benchmarks.figures.Waits;
import io.distributedlock.benchmarks.server.Monitor;
import io.distributedlock.benchmarks.server.Monitor.Seen;
import io.distributedlock.benchmarks.server.Work;
import io.distributedlock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All threads of a group compete for one lock, and what that gave. */
final class ContentionRound {

    /** How long the server says which commands clients send, which costs it so much that the round comes after. */
    private static final Duration WATCHED = Duration.ofMillis(100);

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;

    private final RedisServer redis;
    private final ProcessGroup group;

    ContentionRound(RedisServer redis, ProcessGroup group) {
        this.redis = redis;
        this.group = group;
    }

    Round run(Order order) {
        Seen seen = Monitor.during(redis, () -> group.all(order.again(WATCHED)));
        long overlapsBefore = group.overlaps();
        Work before = Work.until(redis);
        List<Outcome> outcomes = group.all(order.again(order.length()));
        Work work = Work.until(redis).since(before);
        long handOvers = outcomes.stream().mapToLong(Outcome::granted).sum();
        Map<String, Double> values = new LinkedHashMap<>();
        values.put(Headings.HAND_OVERS, handOvers * 1e9 / order.length().toNanos());
        values.put(
                Headings.FAIRNESS,
                Fairness.of(outcomes.stream()
                        .flatMap(each -> each.counts().stream())
                        .toList()));
        values.put(
                Headings.PROCESS_SHARE,
                Fairness.of(outcomes.stream().map(Outcome::granted).toList()));
        addWaits(outcomes, values);
        double each = Math.max(1, handOvers);
        Duration client = outcomes.stream().map(Outcome::cpu).reduce(Duration.ZERO, Duration::plus);
        values.put(Headings.CLIENT_CPU, client.toNanos() / NANOS_PER_MICRO / each);
        values.put(Headings.SERVER_CPU, work.cpu().toNanos() / NANOS_PER_MICRO / each);
        values.put(Headings.EXECUTING, work.busy(seen).toNanos() / NANOS_PER_MICRO / each);
        values.put(Headings.COMMANDS, work.count() / each);
        return new Round(values, remarks(outcomes, group.overlaps() - overlapsBefore));
    }

    private static void addWaits(List<Outcome> outcomes, Map<String, Double> values) {
        Waits waits = new Waits();
        outcomes.forEach(outcome -> waits.add(outcome.waited()));
        values.put(Headings.WAIT_P50, waits.quantile(0.5).toNanos() / NANOS_PER_MILLI);
        values.put(Headings.WAIT_P99, waits.quantile(0.99).toNanos() / NANOS_PER_MILLI);
        values.put(Headings.WAIT_MAX, waits.max().toNanos() / NANOS_PER_MILLI);
    }

    private static List<String> remarks(List<Outcome> outcomes, long overlaps) {
        List<String> remarks = new ArrayList<>();
        if (overlaps > 0) {
            remarks.add("NO EXCLUSION: " + overlaps + " overlaps");
        }
        long refused = outcomes.stream().mapToLong(Outcome::refused).sum();
        if (refused > 0) {
            remarks.add(refused + " not granted in time");
        }
        long errors = outcomes.stream().mapToLong(Outcome::errors).sum();
        outcomes.stream()
                .flatMap(outcome -> outcome.failure().stream())
                .findFirst()
                .ifPresent(failure -> remarks.add(errors + " errors, such as " + failure));
        return remarks;
    }
}
