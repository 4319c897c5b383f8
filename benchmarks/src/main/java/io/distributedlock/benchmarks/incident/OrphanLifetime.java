package io.distributedlock.benchmarks.incident;

import java.time.Duration;

/**
 * How long a lock stayed with an owner that is of no use any more.
 *
 * @param seen when it was gone, or until when it was watched
 * @param left the rest of its lease at the last look
 * @param renewals how often it was renewed meanwhile
 */
record OrphanLifetime(Duration seen, boolean gone, Duration left, int renewals) {}
