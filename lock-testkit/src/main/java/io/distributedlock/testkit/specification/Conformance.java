package io.distributedlock.testkit.specification;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether histories are behaviours of the {@link LockSpecification}.
 *
 * @param histories how many were replayed
 * @param rejected how many of these were none
 * @param rejections why, at most one reason for each lock and call
 */
public record Conformance(int histories, int rejected, List<Rejection> rejections) {
    public static final Conformance NONE = new Conformance(0, 0, List.of());

    /** Copies the rejections. */
    public Conformance {
        rejections = List.copyOf(rejections);
    }

    /** Replays one history. */
    public static Conformance of(History history, Limits limits) {
        Timeline timeline = new Timeline(history, limits);
        List<Rejection> rejections = new ArrayList<>();
        for (Map.Entry<String, List<Call>> entry : timeline.calls().entrySet()) {
            for (Call call : entry.getValue()) {
                life(call, timeline).ifPresent(rejections::add);
            }
            new Replay(entry.getKey(), entry.getValue(), timeline).run().ifPresent(rejections::add);
        }
        return new Conformance(1, rejections.isEmpty() ? 0 : 1, rejections);
    }

    private static Optional<Rejection> life(Call call, Timeline timeline) {
        long answered = Math.min(call.isGranted() ? call.grantedAt() : call.endedAt(), timeline.end());
        long standstill =
                answered - call.begin() - timeline.pauses(call.process()).outside(call.begin(), answered);
        List<Event> events = call.events();
        return LockSpecification.life(call, timeline.limits(), standstill)
                .map(message -> new Rejection(call.key(), message, events));
    }

    /** This and what became of further histories. */
    public Conformance and(Conformance next) {
        List<Rejection> all = new ArrayList<>(rejections);
        all.addAll(next.rejections);
        return new Conformance(histories + next.histories, rejected + next.rejected, all);
    }

    /** The result as one line. */
    public String line() {
        return "conformance: histories: " + histories + " rejected: " + rejected;
    }
}
