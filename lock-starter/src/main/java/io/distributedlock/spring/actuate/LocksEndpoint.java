package io.distributedlock.spring.actuate;

import io.distributedlock.LockId;
import io.distributedlock.LockMonitor;
import io.distributedlock.LockReport;
import io.distributedlock.LockStatistics;
import io.distributedlock.LockUnavailableException;
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
 * The endpoint {@code locks}: what this application holds and waits for, all locks that are held in whichever process,
 * and who holds one of them. Ids contain keys, and with them perhaps user data; owners are only shown as short hashes.
 */
@Endpoint(id = "locks")
public class LocksEndpoint {

    private final LockMonitor monitor;
    private final LockIncidents incidents;
    private final int maxEntries;

    /** @param maxEntries how many locks and how many requests are listed; their numbers are always whole */
    public LocksEndpoint(LockMonitor monitor, int maxEntries) {
        this(monitor, new LockIncidents(), maxEntries);
    }

    /** @param incidents a listener of the client */
    public LocksEndpoint(LockMonitor monitor, LockIncidents incidents, int maxEntries) {
        this.monitor = monitor;
        this.incidents = incidents;
        this.maxEntries = maxEntries;
    }

    /**
     * What is held and awaited here, the oldest first; and with {@code fleet} a page of all locks that are held, in
     * whichever process.
     *
     * @param fleet whether the store is asked for all locks
     * @param cursor that of a further page
     * @param limit about how many of all locks are listed, instead of the endpoint's own limit
     */
    @ReadOperation
    public Locks locks(
            @org.springframework.lang.Nullable Boolean fleet,
            @org.springframework.lang.Nullable String cursor,
            @org.springframework.lang.Nullable Integer limit) {
        Locks here = locks();
        return fleet == null || !fleet ? here : here.with(fleet(cursor, limit == null ? maxEntries : limit));
    }

    /** A store that refuses is an answer, too: what this application knows by itself is shown all the same. */
    private Fleet fleet(@Nullable String cursor, int limit) {
        try {
            LockMonitor.Page page = asked(() -> monitor.list(cursor, limit));
            return new Fleet(page.locks(), WaitChains.of(page.locks()), page.next(), page.source(), null);
        } catch (LockUnavailableException unavailable) {
            Throwable cause = unavailable.getCause() == null ? unavailable : unavailable.getCause();
            return new Fleet(List.of(), List.of(), null, null, String.valueOf(cause.getMessage()));
        }
    }

    /** What is held and awaited here, the oldest first. */
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
                incidents.report(),
                held,
                awaited,
                null);
    }

    /**
     * Who holds this lock, in whichever process, and what went wrong with locks of its name.
     *
     * @param id as the endpoint shows it, or the name, a colon and the key as they are: {@code pay:1:2}
     */
    @ReadOperation
    public OneLock lock(@Selector String id) {
        return asked(() -> new OneLock(
                LockId.parse(id).encoded(),
                monitor.storeKey(id).orElse(null),
                monitor.find(id).orElse(null),
                monitor.history(id)));
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
     * @param incidents what went wrong here since the start
     * @param held the oldest locks
     * @param awaited the oldest requests
     * @param fleet some of all locks; null unless they are asked for
     */
    public record Locks(
            Map<String, String> store,
            int heldCount,
            int awaitedCount,
            int unresolvedCount,
            LockIncidents.Report incidents,
            List<HeldHere> held,
            List<LockReport.Awaited> awaited,
            @Nullable Fleet fleet) {

        private Locks with(Fleet all) {
            return new Locks(store, heldCount, awaitedCount, unresolvedCount, incidents, held, awaited, all);
        }
    }

    /**
     * Some of all locks that are held, in whichever process.
     *
     * @param waits which of these locks are held by a client that may wait for another one of them
     * @param next the cursor of the next page; null if this is the last one
     * @param source what has answered, if the answer is not that of the whole store
     * @param problem why the store has not listed its locks; null if it has
     */
    public record Fleet(
            List<LockReport.Listed> locks,
            List<WaitChains.Link> waits,
            @Nullable String next,
            @Nullable String source,
            @Nullable String problem) {}

    /**
     * One lock in the store.
     *
     * @param storeKey its key in Redis; null if the store has no keys
     * @param held whether a process holds it
     * @param holder who does; null if it is free
     * @param history see {@link LockMonitor#history}
     */
    public record OneLock(
            String id,
            @Nullable String storeKey,
            boolean held,
            LockReport.@Nullable Stored holder,
            List<LockReport.Incident> history) {

        OneLock(
                String id,
                @Nullable String storeKey,
                LockReport.@Nullable Stored holder,
                List<LockReport.Incident> history) {
            this(id, storeKey, holder != null, holder, history);
        }
    }
}
