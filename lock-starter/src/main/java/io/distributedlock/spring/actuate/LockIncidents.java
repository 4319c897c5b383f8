package io.distributedlock.spring.actuate;

import io.distributedlock.LockEvent;
import io.distributedlock.LockId;
import io.distributedlock.LockListener;
import io.distributedlock.LockNotAcquiredException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** What went wrong with locks of this application since its start: how often, and what was last. */
public final class LockIncidents implements LockListener {

    /** So many are kept, of all locks together. */
    private static final int MAX_KEPT = 50;

    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    /** The latest one first; guarded by itself. */
    private final Deque<Kept> latest = new ArrayDeque<>();

    @Override
    public void on(LockEvent event) {
        if (event instanceof LockEvent.Lost loss) {
            lost.incrementAndGet();
            String reason = loss.reason().name().toLowerCase(Locale.ROOT).replace('_', '-');
            keep(event, "lost", reason, loss.held());
        } else if (event instanceof LockEvent.NotAcquired refusal) {
            boolean answered = refusal.reason() instanceof LockNotAcquiredException;
            (answered ? refused : failed).incrementAndGet();
            keep(event, answered ? "refused" : "failed", "", refusal.waited());
        }
    }

    private void keep(LockEvent event, String what, String reason, Duration time) {
        Kept kept = new Kept(LockId.of(event.name(), event.key()).encoded(), what, reason, time, System.nanoTime());
        synchronized (latest) {
            latest.addFirst(kept);
            if (latest.size() > MAX_KEPT) {
                latest.removeLast();
            }
        }
    }

    Report report() {
        long now = System.nanoTime();
        synchronized (latest) {
            return new Report(
                    lost.get(),
                    refused.get(),
                    failed.get(),
                    latest.stream().map(kept -> kept.incident(now)).toList());
        }
    }

    private record Kept(String id, String what, String reason, Duration time, long at) {

        Incident incident(long now) {
            Duration ago = Duration.ofMillis(Duration.ofNanos(now - at).toMillis());
            return new Incident(id, what, reason, Duration.ofMillis(time.toMillis()), ago);
        }
    }

    /**
     * What went wrong in this application since its start.
     *
     * @param lost how many locks ended before their holder released them
     * @param refused how many requests met another owner for as long as they waited
     * @param failed how many requests failed for another reason
     * @param latest the last ones, the newest first
     */
    public record Report(long lost, long refused, long failed, List<Incident> latest) {

        static final Report NOTHING = new Report(0, 0, 0, List.of());
    }

    /**
     * One of them.
     *
     * @param what {@code lost}, {@code refused} or {@code failed}
     * @param reason why it was lost; else empty
     * @param time how long it was held, or waited for
     * @param ago how long ago that ended
     */
    public record Incident(String id, String what, String reason, Duration time, Duration ago) {}
}
