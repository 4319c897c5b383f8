package io.distributedlock.benchmarks.incident;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What this project promises for these cases, held against what was seen. */
final class Bounds {

    private static final Duration AFTER_RETURN = Duration.ofMillis(250);
    private static final Duration AFTER_KILL = Duration.ofSeconds(5);

    private Bounds() {}

    /** How long the key may stay once Redis can be reached again, or once the client is dead. */
    static Duration of(FaultCase faultCase) {
        return faultCase == FaultCase.CLIENT_KILLED ? AFTER_KILL : AFTER_RETURN;
    }

    /** One sentence for each promise that was not kept. */
    static List<String> missed(CaseResult result) {
        Duration bound = of(result.faultCase());
        String prefix = "NOT KEPT: " + result.faultCase().title() + ": ";
        Stream<String> lifetime = result.stuck() > 0 || result.lifetime().compareTo(bound) > 0
                ? Stream.of(prefix + "the key stayed " + DurationFormat.text(result.lifetime()) + ", the bound is "
                        + DurationFormat.text(bound))
                : Stream.empty();
        Stream<String> lies = result.untrue() > 0
                ? Stream.of(prefix + result.untrue() + " callers were told something untrue")
                : Stream.empty();
        return Stream.concat(lifetime, lies).toList();
    }
}
