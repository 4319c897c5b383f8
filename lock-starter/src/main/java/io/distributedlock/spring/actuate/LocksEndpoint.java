package io.distributedlock.spring.actuate;

import io.distributedlock.LockId;
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
 * The endpoint {@code locks}: what this application holds and waits for, and who holds one lock in the store. Ids
 * contain keys, and with them perhaps user data; owners are only shown as short hashes.
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
        return new Locks(
                monitor.store(),
                statistics.totalHeld(),
                statistics.totalWaiting(),
                statistics.unresolved(),
                held,
                awaited);
    }

    /**
     * Who holds this lock, in whichever process.
     *
     * @param id as the endpoint shows it, or the name, a colon and the key as they are: {@code pay:1:2}
     */
    @ReadOperation
    public OneLock lock(@Selector String id) {
        return asked(() -> new OneLock(
                LockId.parse(id).encoded(),
                monitor.storeKey(id).orElse(null),
                monitor.find(id).orElse(null)));
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
     * @param store see {@link LockMonitor#store()}
     * @param heldCount how many locks are held here
     * @param awaitedCount how many requests have not been answered
     * @param unresolvedCount how many claims without a holder are still being cleaned up
     * @param held the oldest locks
     * @param awaited the oldest requests
     */
    public record Locks(
            Map<String, String> store,
            int heldCount,
            int awaitedCount,
            int unresolvedCount,
            List<HeldHere> held,
            List<LockReport.Awaited> awaited) {}

    /**
     * One lock in the store.
     *
     * @param storeKey its key in Redis; null if the store has no keys
     * @param held whether a process holds it
     * @param holder who does; null if it is free
     */
    public record OneLock(String id, @Nullable String storeKey, boolean held, LockReport.@Nullable Stored holder) {

        OneLock(String id, @Nullable String storeKey, LockReport.@Nullable Stored holder) {
            this(id, storeKey, holder != null, holder);
        }
    }
}
