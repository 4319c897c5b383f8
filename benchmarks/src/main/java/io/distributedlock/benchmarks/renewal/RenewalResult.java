package io.distributedlock.benchmarks.renewal;

import io.distributedlock.benchmarks.contender.Library;
import java.time.Duration;

/**
 * What it took to hold so many locks for a while.
 *
 * @param window how long was measured
 * @param client the processor time of the process that holds them
 * @param server what their Redis did meanwhile
 * @param heap the bytes that they take in all
 * @param lost how many were not in Redis any more at the end
 * @param shortestLease the least that was left to one of those that were looked at in the end
 */
record RenewalResult(
        Library library,
        int locks,
        Duration window,
        Duration client,
        ServerFigures server,
        long heap,
        long lost,
        Duration shortestLease) {

    private static final double MINUTE = 60;

    double clientSecondsPerMinute() {
        return perSecond(seconds(client)) * MINUTE;
    }

    double serverSecondsPerMinute() {
        return perSecond(seconds(server.cpu())) * MINUTE;
    }

    double commandsPerSecond() {
        return perSecond(server.commands());
    }

    double scriptsPerSecond() {
        return perSecond(server.scripts());
    }

    long heapPerLock() {
        return heap / locks;
    }

    private double perSecond(double amount) {
        return amount / seconds(window);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
