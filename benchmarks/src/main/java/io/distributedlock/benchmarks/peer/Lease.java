package io.distributedlock.benchmarks.peer;

import io.distributedlock.benchmarks.contender.Terms;
import java.time.Duration;

/** How long every peer holds a lock at most, or between renewals. */
final class Lease {

    static final Duration LENGTH = Duration.ofSeconds(30);
    static final Terms TERMS = Terms.renewed(Duration.ofSeconds(60), LENGTH);

    private Lease() {}

    static String millis() {
        return String.valueOf(LENGTH.toMillis());
    }
}
