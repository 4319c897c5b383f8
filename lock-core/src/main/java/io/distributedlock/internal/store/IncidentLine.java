package io.distributedlock.internal.store;

import io.distributedlock.ClientIdentity;
import io.distributedlock.LockReport.Incident;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How an incident is written: {@code at=2026-03-01T08:00:00.123Z what=lost reason=deadline millis=30012 app=shop},
 * legible with the store's own tools.
 *
 * @param at milliseconds of the wall clock, for people
 * @param lasted how long the lock was held, or waited for
 * @param leftOut how many were not written before this one
 */
record IncidentLine(
        long at, String what, @Nullable String reason, Duration lasted, int leftOut, ClientIdentity client) {

    String written() {
        StringBuilder line = new StringBuilder("at=").append(Instant.ofEpochMilli(at));
        RosterLine.add(line, "what", what);
        RosterLine.add(line, "reason", reason);
        RosterLine.add(line, "millis", lasted.toMillis());
        RosterLine.add(line, "left-out", leftOut == 0 ? null : leftOut);
        RosterLine.add(line, client);
        return line.toString();
    }

    /** Empty if no client has written it. */
    static Optional<Incident> read(String line) {
        Map<String, String> words = RosterLine.words(line);
        try {
            return Optional.of(new Incident(
                    Instant.parse(words.getOrDefault("at", "")),
                    words.getOrDefault("what", ""),
                    words.get("reason"),
                    Duration.ofMillis(Long.parseLong(words.getOrDefault("millis", ""))),
                    RosterLine.identity(words),
                    Integer.parseInt(words.getOrDefault("left-out", "0"))));
        } catch (RuntimeException foreign) {
            return Optional.empty();
        }
    }
}
