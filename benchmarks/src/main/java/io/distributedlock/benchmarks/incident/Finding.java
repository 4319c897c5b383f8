package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Answer.Claim;
import io.distributedlock.benchmarks.contender.Library;
import io.distributedlock.benchmarks.incident.Sighting.Again;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What one library did in one scene, over all runs. Of durations the longest counts. */
record Finding(Scene scene, Library library, List<Sighting> runs) {

    /** What callers were told, and how many of them. */
    Map<String, Long> told() {
        return counts(each -> each.told().map(told -> told.answer().words()));
    }

    Optional<Duration> toldAfter() {
        return longest(each -> each.told().map(Sighting.Told::after));
    }

    /** Whether any caller was told something about the lock. */
    boolean hasClaim() {
        return runs.stream()
                .flatMap(each -> each.told().stream())
                .anyMatch(told -> told.answer().claim() != Claim.NONE);
    }

    long untrue() {
        return runs.stream().filter(Sighting::untrue).count();
    }

    /** In how many runs the key was still there at the end. */
    int stuck() {
        return Math.toIntExact(runs.stream().filter(each -> !each.stay().gone()).count());
    }

    Duration stay() {
        return longest(each -> Optional.of(each.stay().seen())).orElse(Duration.ZERO);
    }

    Duration medianStay() {
        return runs.stream()
                .map(each -> each.stay().seen())
                .sorted()
                .skip(runs.size() / 2)
                .findFirst()
                .orElse(Duration.ZERO);
    }

    Duration leaseLeft() {
        return longest(each -> Optional.of(each.stay().left())).orElse(Duration.ZERO);
    }

    int renewals() {
        return runs.stream().mapToInt(each -> each.stay().renewals()).max().orElse(0);
    }

    /** In how many runs a second client got the lock. */
    int passedOn() {
        return Math.toIntExact(
                runs.stream().filter(each -> each.next().isPresent()).count());
    }

    Optional<Duration> nextAfter() {
        return longest(Sighting::next);
    }

    /** How second tries of the first client ended, and how many of them. */
    Map<Again, Long> again() {
        return counts(each -> Optional.of(each.again()).filter(again -> again != Again.NOT_TRIED));
    }

    private Optional<Duration> longest(Function<Sighting, Optional<Duration>> duration) {
        return runs.stream().flatMap(each -> duration.apply(each).stream()).max(Comparator.naturalOrder());
    }

    private <T> Map<T, Long> counts(Function<Sighting, Optional<T>> what) {
        return runs.stream()
                .flatMap(each -> what.apply(each).stream())
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    }
}
