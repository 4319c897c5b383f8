package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.contender.Answer.Claim;
import io.distributedlock.benchmarks.contender.Library;
import io.distributedlock.benchmarks.incident.RunResult.Again;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What one library did in one case, over all runs. Of durations the longest counts. */
record CaseResult(FaultCase faultCase, Library library, List<RunResult> runs) {

    /** What callers were told, and how many of them. */
    Map<String, Long> outcome() {
        return counts(each -> each.outcome().map(outcome -> outcome.answer().words()));
    }

    Optional<Duration> toldAfter() {
        return longest(each -> each.outcome().map(RunResult.CallOutcome::after));
    }

    /** Whether any caller was told something about the lock. */
    boolean hasClaim() {
        return runs.stream()
                .flatMap(each -> each.outcome().stream())
                .anyMatch(outcome -> outcome.answer().claim() != Claim.NONE);
    }

    long untrue() {
        return runs.stream().filter(RunResult::untrue).count();
    }

    /** In how many runs the key was still there at the end. */
    int stuck() {
        return Math.toIntExact(
                runs.stream().filter(each -> !each.lifetime().gone()).count());
    }

    Duration lifetime() {
        return longest(each -> Optional.of(each.lifetime().seen())).orElse(Duration.ZERO);
    }

    Duration medianStay() {
        return runs.stream()
                .map(each -> each.lifetime().seen())
                .sorted()
                .skip(runs.size() / 2)
                .findFirst()
                .orElse(Duration.ZERO);
    }

    Duration leaseLeft() {
        return longest(each -> Optional.of(each.lifetime().left())).orElse(Duration.ZERO);
    }

    int renewals() {
        return runs.stream().mapToInt(each -> each.lifetime().renewals()).max().orElse(0);
    }

    /** In how many runs a second client got the lock. */
    int passedOn() {
        return Math.toIntExact(
                runs.stream().filter(each -> each.next().isPresent()).count());
    }

    Optional<Duration> nextAfter() {
        return longest(RunResult::next);
    }

    /** How second tries of the first client ended, and how many of them. */
    Map<Again, Long> again() {
        return counts(each -> Optional.of(each.again()).filter(again -> again != Again.NOT_TRIED));
    }

    private Optional<Duration> longest(Function<RunResult, Optional<Duration>> duration) {
        return runs.stream().flatMap(each -> duration.apply(each).stream()).max(Comparator.naturalOrder());
    }

    private <T> Map<T, Long> counts(Function<RunResult, Optional<T>> what) {
        return runs.stream()
                .flatMap(each -> what.apply(each).stream())
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    }
}
