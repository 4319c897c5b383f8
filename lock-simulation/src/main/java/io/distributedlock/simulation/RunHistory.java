package io.distributedlock.simulation;

import static io.distributedlock.testkit.history.Effect.CLIENT_PAUSED;
import static io.distributedlock.testkit.history.Effect.REQUESTS_LATE;
import static io.distributedlock.testkit.history.Effect.SERVER_UNREACHABLE;
import static io.distributedlock.testkit.history.Effect.STATE_DESTROYED;

import io.distributedlock.LockNotAcquiredException;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.LockUnavailableException.Outcome;
import io.distributedlock.simulation.Step.Disturbance;
import io.distributedlock.simulation.clock.Timeline;
import io.distributedlock.testkit.history.CallTerms;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.Fault;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.Limits;
import io.distributedlock.testkit.history.OwnerHash;
import io.distributedlock.testkit.history.OwnerSample;
import io.distributedlock.testkit.specification.Conformance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A run in the form in which campaigns on real servers record theirs, so that the same definition of a lock judges
 * both. Besides what callers see, it has each owner that the server gave a lock to.
 */
final class RunHistory {

    /** A lease that is renewed; no other is longer. */
    private static final Duration LONGEST_LEASE = Duration.ofSeconds(30);
    /** Beside its wait time and two command timeouts, a call has this long to connect; and so has a clean-up. */
    private static final Duration SLACK = Duration.ofMillis(4_400);
    /** What takes back an owner waits for a min-hold of a second. */
    private static final Duration ORPHAN = Duration.ofMillis(1_600);
    /** A connection that was cut may carry its last requests for so long. */
    private static final Duration LEAVING = Duration.ofSeconds(3);

    private static final Limits LIMITS = new Limits(
            Client.COMMAND_TIMEOUT,
            LONGEST_LEASE.plus(SLACK),
            ORPHAN,
            ORPHAN.plus(LEAVING),
            LONGEST_LEASE,
            Duration.ofSeconds(1),
            Duration.ZERO,
            SLACK);

    private final List<Event> events = new ArrayList<>();
    private final List<OwnerSample> samples = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();
    private final Map<String, String> hashes = new HashMap<>();
    private final Timeline timeline;
    private final boolean recorded;
    private long last;
    private int calls;

    /** @param recorded whether it is asked for at the end; if not, nothing is kept of it */
    RunHistory(Timeline timeline, boolean recorded) {
        this.timeline = timeline;
        this.recorded = recorded;
    }

    /** What becomes of one call. */
    final class CallRecord {

        private final String lock;
        private final String process;
        private final String name;

        private CallRecord(String lock, String process) {
            this.lock = lock;
            this.process = process;
            this.name = process + "#" + ++calls;
        }

        private void add(EventKind kind, long value, String owner, String detail) {
            if (recorded) {
                events.add(new Event(kind, lock, process, name, now(), value, owner, detail));
            }
        }

        void granted(long token, String owner) {
            add(EventKind.GRANTED, token, hash(owner), "");
        }

        void failed(Throwable failure) {
            add(
                    failure instanceof LockNotAcquiredException
                            ? EventKind.HELD_BY_OTHER
                            : failure instanceof LockUnavailableException unavailable
                                    ? unavailable.outcome() == Outcome.UNKNOWN
                                            ? EventKind.UNKNOWN
                                            : EventKind.UNAVAILABLE
                                    : EventKind.INTERRUPTED,
                    0,
                    "",
                    "");
        }

        void lost(String reason) {
            add(EventKind.LOST, 0, "", reason);
        }

        void releaseBegins() {
            add(EventKind.RELEASE_INVOKED, 0, "", "");
        }

        void released() {
            add(EventKind.RELEASED, 0, "", "");
        }

        void releaseReportedLoss(String reason) {
            add(EventKind.RELEASE_REPORTED_LOST, 0, "", reason);
        }
    }

    CallRecord begin(String process, String lock, long waitMillis, boolean shared) {
        CallRecord record = new CallRecord(lock, process);
        record.add(EventKind.INVOKE, waitMillis, "", (shared ? CallTerms.SHARED : CallTerms.EXCLUSIVE).text());
        return record;
    }

    /** The server has given a lock to an owner alone, or has prolonged its lease. */
    void written(String lock, String owner) {
        if (!recorded) {
            return;
        }
        long at = now();
        samples.add(new OwnerSample(lock, at, at, hash(owner), LONGEST_LEASE));
    }

    void killed(Client client) {
        events.add(new Event(EventKind.CLIENT_KILLED, "", client.name(), "", now(), 0, "", ""));
    }

    /** A request that is sent now, and each that is sent behind it until then, comes late. */
    void late(String process, long arrival) {
        faults.add(new Fault("LATE", Set.of(REQUESTS_LATE), process, now(), arrival));
    }

    void disturbed(Disturbance step, Client client) {
        Duration time = Duration.ofMillis(step.millis());
        switch (step.fault()) {
            case CUT -> fault(step, client.name(), LEAVING, SERVER_UNREACHABLE, REQUESTS_LATE);
            case BLOCK, REQUESTS_LATE -> fault(step, client.name(), time, SERVER_UNREACHABLE, REQUESTS_LATE);
            case REPLIES_LATE -> fault(step, client.name(), time, SERVER_UNREACHABLE);
            case STALL, RESTART -> fault(step, "", time.plus(LEAVING), SERVER_UNREACHABLE, REQUESTS_LATE);
            case RESTART_EMPTY, FAILOVER ->
                fault(step, "", time.plus(LEAVING), SERVER_UNREACHABLE, REQUESTS_LATE, STATE_DESTROYED);
            case CLOCK_FORWARD, CLOCK_BACK -> fault(step, "", time, STATE_DESTROYED);
            case PAUSE, SLEEP ->
                fault(step, client.name(), Duration.ofNanos(client.pausedUntil() - timeline.now()), CLIENT_PAUSED);
            case REPLICATION_STOPS -> {}
            case KILL -> {
                // Nothing takes back what it asked for last: the lease ends that.
                fault(step, client.name(), LONGEST_LEASE, SERVER_UNREACHABLE);
            }
        }
    }

    private void fault(Disturbance step, String process, Duration time, Effect... effects) {
        long begin = now();
        faults.add(new Fault(step.fault().name(), Set.of(effects), process, begin, begin + time.toNanos()));
    }

    /** Each event has an instant of its own, so that their order is known. */
    private long now() {
        last = Math.max(last + 1, timeline.now());
        return last;
    }

    private String hash(String owner) {
        return recorded ? hashes.computeIfAbsent(owner, OwnerHash::of) : "";
    }

    /** Whether the definition of a lock allows what happened. */
    Conformance conformance() {
        return Conformance.of(new History(events, samples, faults, Optional.empty()), LIMITS);
    }
}
