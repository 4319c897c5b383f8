package io.distributedlock.benchmarks.incident;

import java.time.Duration;

/** Durations as people say them. */
final class DurationFormat {

    private static final Duration SECONDS_FROM = Duration.ofSeconds(10);

    private DurationFormat() {}

    static String text(Duration duration) {
        if (duration.compareTo(SECONDS_FROM) < 0) {
            return duration.toMillis() + " ms";
        }
        if (duration.toHours() == 0) {
            return duration.toSeconds() + " s";
        }
        return duration.toHours() + " h " + duration.toMinutesPart() + " min";
    }
}
