package io.distributedlock.spring.actuate;

import io.distributedlock.LockMonitor;
import io.distributedlock.LockReport;
import io.distributedlock.LockStatistics;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The endpoint {@code locks}: what this application holds and waits for, and who holds one lock in the store. Ids contain keys, and with them
 * perhaps user data; owners are only shown as short hashes.
 */
@Endpoint(id = "locks")
public class LocksEndpoint {

    private final LockMonitor monitor;
    private final int maxEntries;

    /** @param maxEntries how many locks and how many requests are listed; their numbers are always whole */
    public LocksEndpoint(LockMonitor monitor, int maxEntries) {
        this.monitor = monitor;
        this.maxEntries = maxEntries;
    }

    /** What is held and awaited here, the oldest first. */
    @ReadOperation
    public Locks locks() {
        LockStatistics statistics = monitor.statistics();
        List<LockReport.Awaited> awaited = monitor.awaited(maxEntries);
        Map<String, Long> waiters =
                awaited.stream().collect(Collectors.groupingBy(LockReport.Awaited::id, Collectors.counting()));
        List<HeldHere> held = monitor.held(maxEntries).stream()
                .map(lock -> new HeldHere(lock, waiters.getOrDefault(lock.id(), 0L)))
                .toList();
        return new Locks(statistics.totalHeld(), statistics.totalWaiting(), statistics.unresolved(), held, awaited);
    }

    /** Who holds this lock, in whichever process; null if it is free. */
    @ReadOperation
    public LockReport.@Nullable Stored lock(@Selector String id) {
        return asked(() -> monitor.find(id).orElse(null));
    }

    final LockMonitor monitor() {
        return monitor;
    }

    static <T extends @Nullable Object> T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (IllegalArgumentException | UnsupportedOperationException impossible) {
            String reason = String.valueOf(impossible.getMessage());
            throw new InvalidEndpointRequestException(reason, reason, impossible);
        }
    }

    /**
     * What this application holds and waits for.
     *
     * @param heldCount how many locks are held here
     * @param awaitedCount how many requests have not been answered
     * @param unresolvedCount how many claims that nobody holds are still being cleaned up
     * @param held the oldest locks
     * @param awaited the oldest requests
     */
    public record Locks(
            int heldCount,
            int awaitedCount,
            int unresolvedCount,
            List<HeldHere> held,
            List<LockReport.Awaited> awaited) {}
}
