package io.distributedlock.benchmarks.peers;

import java.time.Duration;
import java.util.Optional;

/** Until when there is time for one more round; empty if there always is. By {@link System#nanoTime()}. */
record Deadline(Optional<Long> nanos) {

    static final Deadline NONE = new Deadline(Optional.empty());

    static Deadline in(Duration time) {
        return new Deadline(Optional.of(System.nanoTime() + time.toNanos()));
    }

    boolean isOver() {
        return nanos.filter(end -> System.nanoTime() - end >= 0).isPresent();
    }
}
