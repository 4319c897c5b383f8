package io.distributedlock.testkit.analysis;

import io.distributedlock.testkit.analysis.Windows.Span;
import io.distributedlock.testkit.history.CallTerms.Bond;
import io.distributedlock.testkit.history.Effect;
import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.Fault;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.Limits;
import io.distributedlock.testkit.history.OwnerSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A history put in order for checking: calls and samples by key, and the times that faults excuse. */
public final class Timeline {
    private final History history;
    private final Limits limits;
    private final Map<String, List<Call>> calls = new LinkedHashMap<>();
    private final Map<String, List<Call>> joint = new LinkedHashMap<>();
    private final Map<String, List<OwnerSample>> samples = new LinkedHashMap<>();
    private final Map<String, Windows> pauses = new HashMap<>();
    private final Map<String, Windows> excuses = new HashMap<>();
    private final Map<String, Windows> outages = new HashMap<>();
    private final Map<String, Windows> late = new HashMap<>();
    private final Windows losses;
    private final Windows destruction;
    private final Windows restoration;
    private final long end;

    public Timeline(History history, Limits limits) {
        this.history = history;
        this.limits = limits;
        this.losses = windows(has(Effect.STATE_DESTROYED), Duration.ZERO);
        this.destruction = windows(has(Effect.STATE_DESTROYED), limits.detection());
        this.restoration = windows(has(Effect.STATE_DESTROYED), limits.lease().plus(limits.schedulingSlack()));
        this.end = Stream.concat(
                        history.events().stream().map(Event::nanos),
                        history.samples().stream().map(OwnerSample::end))
                .max(Comparator.naturalOrder())
                .orElse(0L);
        arrangeCalls();
        for (OwnerSample sample : history.samples()) {
            samples.computeIfAbsent(sample.key(), key -> new ArrayList<>()).add(sample);
        }
        samples.values().forEach(list -> list.sort(Comparator.comparingLong(OwnerSample::begin)));
    }

    public History history() {
        return history;
    }

    public Limits limits() {
        return limits;
    }

    /** The calls of each key, in the order of their begin. */
    public Map<String, List<Call>> calls() {
        return calls;
    }

    /** The calls for several locks at once, of each such claim. */
    public Map<String, List<Call>> joint() {
        return joint;
    }

    /** The granted calls of a key, in the order of their grants. */
    public List<Call> grants(String key) {
        return calls.getOrDefault(key, List.of()).stream()
                .filter(Call::isGranted)
                .sorted(Comparator.comparingLong(Call::grantedAt))
                .toList();
    }

    /** The samples of a key, in the order of time. */
    public List<OwnerSample> samples(String key) {
        return samples.getOrDefault(key, List.of());
    }

    /** The last instant of which anything is known. */
    public long end() {
        return end;
    }

    /** When server state was being lost. */
    public Windows losses() {
        return losses;
    }

    /** When lost server state excuses: from the fault until holders must have noticed. */
    public Windows destruction() {
        return destruction;
    }

    /** When owners may be in Redis that a loss of server state has brought back: for a lease after the fault. */
    public Windows restoration() {
        return restoration;
    }

    /** When this process stood still, and a little longer for its threads to get going. */
    public Windows pauses(String process) {
        return pauses.computeIfAbsent(
                process, name -> windows(has(Effect.CLIENT_PAUSED).and(concerns(name)), limits.schedulingSlack()));
    }

    /** When any process stood still, and a little longer. */
    public Windows pauses() {
        return windows(has(Effect.CLIENT_PAUSED), limits.schedulingSlack());
    }

    /** When a client of this process may not know what became of its lock: {@link #destruction} and {@link #pauses}. */
    public Windows excuses(String process) {
        return excuses.computeIfAbsent(process, name -> destruction.and(pauses(name)));
    }

    /** When this process could not do anything at the server: it stood still, or the server was out of reach. */
    Windows outages(String process) {
        return outages.computeIfAbsent(
                process,
                name -> windows(has(Effect.SERVER_UNREACHABLE).and(concerns(name)), Duration.ZERO)
                        .and(pauses(name)));
    }

    /** When requests of this process were kept that may have reached the server late. */
    public Windows lateRequests(String process) {
        return late.computeIfAbsent(
                process, name -> windows(has(Effect.REQUESTS_LATE).and(concerns(name)), Duration.ZERO));
    }

    /** When any fault was going on. */
    public Windows faults() {
        return windows(fault -> true, Duration.ZERO);
    }

    private void arrangeCalls() {
        Map<String, Long> kills = new HashMap<>();
        Map<String, List<Event>> holds = new LinkedHashMap<>();
        for (Event event : history.events()) {
            if (event.kind() == EventKind.CLIENT_KILLED) {
                kills.putIfAbsent(event.process(), event.nanos());
            } else {
                holds.computeIfAbsent(event.hold(), hold -> new ArrayList<>(8)).add(event);
            }
        }
        for (List<Event> events : holds.values()) {
            Call call = new Call(events, kills.getOrDefault(events.get(0).process(), Call.NEVER));
            calls.computeIfAbsent(call.key(), key -> new ArrayList<>()).add(call);
            if (call.terms().bond() == Bond.ALL) {
                joint.computeIfAbsent(call.terms().group(), group -> new ArrayList<>(2))
                        .add(call);
            }
        }
    }

    private Windows windows(Predicate<Fault> wanted, Duration longer) {
        return Windows.of(history.faults().stream()
                .filter(wanted)
                .map(fault -> new Span(fault.begin(), fault.end() + longer.toNanos()))
                .toList());
    }

    private static Predicate<Fault> has(Effect effect) {
        return fault -> fault.effects().contains(effect);
    }

    private static Predicate<Fault> concerns(String process) {
        return fault -> fault.concerns(process);
    }
}
