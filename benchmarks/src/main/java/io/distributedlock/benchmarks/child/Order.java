package io.distributedlock.benchmarks.child;

import java.time.Duration;

/**
 * What a child process is to do next.
 *
 * @param key the lock
 * @param threads how many threads take part; thread i uses client i
 * @param length for how long each of them takes the lock again and again
 * @param work how long each holds it
 * @param patience how long each waits for it at most
 * @param startNanos when to begin, by {@link System#nanoTime()}, which all processes of a host share
 */
public record Order(
        Kind kind, String key, int threads, Duration length, Duration work, Duration patience, long startNanos) {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration LEAD = Duration.ofMillis(100);

    /** The verbs. */
    public enum Kind {
        /** Threads take and release the lock until the time is over. */
        LOOP,
        /** The main thread takes the lock and keeps it. */
        ACQUIRE,
        /** The main thread gives it back. */
        RELEASE
    }

    /** Empty sections, by so many threads for so long, beginning shortly. */
    public static Order loop(String key, int threads, Duration length) {
        return new Order(Kind.LOOP, key, threads, length, Duration.ZERO, PATIENCE, System.nanoTime() + LEAD.toNanos());
    }

    public static Order acquire(String key) {
        return new Order(Kind.ACQUIRE, key, 1, Duration.ZERO, Duration.ZERO, PATIENCE, System.nanoTime());
    }

    public static Order release(String key) {
        return new Order(Kind.RELEASE, key, 1, Duration.ZERO, Duration.ZERO, PATIENCE, System.nanoTime());
    }

    public Order withWork(Duration longer) {
        return new Order(kind, key, threads, length, longer, patience, startNanos);
    }

    /** The same for another time, beginning shortly. */
    public Order again(Duration otherLength) {
        return new Order(kind, key, threads, otherLength, work, patience, System.nanoTime() + LEAD.toNanos());
    }

    public Order withPatience(Duration other) {
        return new Order(kind, key, threads, length, work, other, startNanos);
    }

    /** How long to wait for the outcome before the process counts as hung. */
    Duration limit() {
        return length.plus(patience).plus(PATIENCE);
    }
}
