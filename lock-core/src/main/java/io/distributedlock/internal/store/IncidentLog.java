package io.distributedlock.internal.store;

import io.distributedlock.ClientIdentity;
import io.distributedlock.LockEvent;
import io.distributedlock.LockId;
import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockReport.Incident;
import io.distributedlock.internal.time.Scheduler;
import io.distributedlock.spi.ClientRoster;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes what went wrong with locks into the roster of their store, under the name of the lock and without its key, and
 * reads it there: locks that were lost or taken by force, and requests that waited for long, in vain or not.
 *
 * <p>Only a client that takes part in the roster writes: {@value #BURST} lines at once and one a second from then on,
 * half of them about waits at most; about {@value #MAX_NAMES} names at most, because names that are made of data would
 * fill the store for a week. A line says how many were left out before it. What the store does not take while it is
 * away, or full, is written later. A store that denies the right to write is asked again on its next connection.
 */
public final class IncidentLog {

    /** So many lines of one lock name are kept, of all clients together. */
    public static final int KEPT = 50;
    /** All of them are gone so long after the last one. */
    public static final Duration LIFE = Duration.ofDays(7);

    private static final Duration LONG_WAIT = Duration.ofSeconds(1);
    /** What is refused sooner was one try. */
    private static final Duration SHORT_WAIT = Duration.ofMillis(100);

    /** Further names of a client are left out: names that are made of data are no names. */
    static final int MAX_NAMES = 100;

    private static final int BURST = 20;
    private static final long PACE = Duration.ofSeconds(1).toNanos();

    private final ReentrantLock guard = new ReentrantLock();
    private final Deque<Line> unwritten = new ArrayDeque<>();
    private final Set<String> names = new HashSet<>();
    private final @Nullable ClientRoster roster;
    private final @Nullable ClientIdentity identity;
    private final Scheduler time;
    private volatile boolean refused;
    /** When all that may be written at once may be written again. */
    private long fullAt;

    private int leftOut;

    /** @param identity null if the client says nothing about itself, and writes nothing */
    public IncidentLog(LockStore store, @Nullable ClientIdentity identity, Scheduler time) {
        this.roster = store.roster().orElse(null);
        this.identity = identity;
        this.time = time;
        this.fullAt = time.now();
        if (roster != null && identity != null) {
            store.onReachable(() -> time.after(Duration.ZERO, this::writeAgain));
        }
    }

    /** Whether an event is to be noted. Those of a lock that is free are not. */
    public boolean concerns(LockEvent event) {
        return identity != null && roster != null && kind(event) != null;
    }

    private static @Nullable String kind(LockEvent event) {
        if (event instanceof LockEvent.Acquired grant) {
            return grant.contended() && grant.waited().compareTo(LONG_WAIT) >= 0 ? "late" : null;
        }
        if (event instanceof LockEvent.NotAcquired refusal) {
            boolean waitedFor = refusal.waited().compareTo(SHORT_WAIT) >= 0;
            return waitedFor && refusal.reason() instanceof LockNotAcquiredException ? "refused" : null;
        }
        return event instanceof LockEvent.Lost ? "lost" : null;
    }

    /** Sends a line, and waits for nothing. */
    public void note(LockEvent event) {
        String kind = kind(event);
        if (event instanceof LockEvent.Acquired grant && kind != null) {
            note(grant.name(), kind, null, grant.waited(), BURST / 2);
        } else if (event instanceof LockEvent.NotAcquired refusal && kind != null) {
            note(refusal.name(), kind, null, refusal.waited(), BURST / 2);
        } else if (event instanceof LockEvent.Lost loss) {
            String reason = loss.reason().name().toLowerCase(Locale.ROOT).replace('_', '-');
            note(loss.name(), "lost", reason, loss.held(), BURST);
        }
    }

    /** A lock of this name was taken from its holder by force, through this client. */
    public void noteForced(LockId lock) {
        note(lock.name(), "forced", null, Duration.ZERO, BURST);
    }

    private void note(String name, String what, @Nullable String reason, Duration lasted, int limit) {
        ClientIdentity own = identity;
        if (own == null || roster == null || refused) {
            return;
        }
        long at = Duration.ofNanos(time.wallClock()).toMillis();
        Line line;
        guard.lock();
        try {
            if (!mayWrite(name, limit)) {
                leftOut++;
                return;
            }
            line = new Line(
                    LockId.of(name, "").encoded(), new IncidentLine(at, what, reason, lasted, leftOut, own).written());
            leftOut = 0;
        } finally {
            guard.unlock();
        }
        write(line);
    }

    private boolean mayWrite(String name, int limit) {
        if (names.size() >= MAX_NAMES && !names.contains(name)) {
            return false;
        }
        long now = time.now();
        long full = Math.max(0, fullAt - now) + PACE;
        boolean allowed = full <= limit * PACE;
        if (allowed) {
            fullAt = now + full;
            names.add(name);
        }
        return allowed;
    }

    private void write(Line line) {
        if (roster != null && !refused) {
            sent(roster, line).whenComplete((done, failure) -> {
                if (failure == null) {
                    writeUnwritten();
                } else {
                    failed(line, failure);
                }
            });
        }
    }

    private static CompletionStage<?> sent(ClientRoster kept, Line line) {
        try {
            return kept.record(line.name(), line.text(), KEPT, LIFE);
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private void failed(Line line, Throwable failure) {
        if (reason(failure) instanceof StoreException known && known.isDenied()) {
            refused = true;
            return;
        }
        guard.lock();
        try {
            unwritten.addLast(line);
            if (unwritten.size() > BURST) {
                unwritten.removeFirst();
            }
        } finally {
            guard.unlock();
        }
    }

    private void writeAgain() {
        refused = false;
        writeUnwritten();
    }

    private void writeUnwritten() {
        List<Line> lines;
        guard.lock();
        try {
            lines = new ArrayList<>(unwritten);
            unwritten.clear();
        } finally {
            guard.unlock();
        }
        lines.forEach(this::write);
    }

    /**
     * What clients have written about locks of this one's name, the latest first; empty if the store refuses to say. A
     * line whose answer was lost may have been written twice.
     */
    public CompletionStage<List<Incident>> of(LockId lock) {
        if (roster == null) {
            return CompletableFuture.completedFuture(List.of());
        }
        String name = lock.encoded().split(":", 2)[0];
        return roster.records(name)
                .exceptionally(IncidentLog::none)
                .thenApply(lines -> lines.stream()
                        .distinct()
                        .map(IncidentLine::read)
                        .flatMap(Optional::stream)
                        .toList());
    }

    private static List<String> none(Throwable failure) {
        if (isRefused(failure)) {
            return List.of();
        }
        throw new CompletionException(failure);
    }

    private static boolean isRefused(Throwable failure) {
        return reason(failure) instanceof StoreException known && known.effect() == Effect.REFUSED;
    }

    private static Throwable reason(Throwable failure) {
        return failure instanceof CompletionException wrapper && wrapper.getCause() != null
                ? wrapper.getCause()
                : failure;
    }

    private record Line(String name, String text) {}
}
