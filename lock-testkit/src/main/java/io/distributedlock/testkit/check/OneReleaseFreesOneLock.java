package io.distributedlock.testkit.check;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.CallSamples;
import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.history.EventKind;
import java.util.Set;
import java.util.stream.Stream;

/**
 * I9: a release frees its own lock and no other, however often it is repeated and however late it arrives.
 *
 * <p>A breach is a lock that vanishes while its client holds it: in the samples, without the owner before it could have
 * expired; in the events, reported with the reason {@code NOT_OWNER}, {@code ABSENT} or {@code LOST_EARLY}. The second
 * also catches releases that wrongly report a loss after a repetition. Excused: lost server state, processes that stood
 * still, and a loss that was found after the samples let the lease end by itself, which a process without a processor
 * learns from Redis before its own timer runs.
 */
final class OneReleaseFreesOneLock implements Invariant {
    private static final Set<String> REASONS = Set.of("NOT_OWNER", "ABSENT", "LOST_EARLY");

    @Override
    public String name() {
        return "I9 one release frees one lock";
    }

    @Override
    public void check(Timeline timeline, Findings findings) {
        for (String key : timeline.calls().keySet()) {
            for (Call call : timeline.grants(key)) {
                if (findings.isFull()) {
                    return;
                }
                if (CallSamples.of(call, timeline).wasRemoved()) {
                    findings.add(key, "gone from Redis while it was held and had not expired", call);
                } else if (reportsRemoval(call) && !isExcused(call, timeline)) {
                    findings.add(key, "reported as taken away though nothing had destroyed it", call);
                }
            }
        }
    }

    private static boolean reportsRemoval(Call call) {
        return Stream.of(EventKind.LOST, EventKind.RELEASE_REPORTED_LOST)
                .flatMap(kind -> call.first(kind).stream())
                .anyMatch(event -> REASONS.contains(event.detail()));
    }

    /** A loss is dated back to when its holder last saw the lock as held; it was found by the last event. */
    private static boolean isExcused(Call call, Timeline timeline) {
        long foundBy = call.events().get(call.events().size() - 1).nanos();
        return timeline.excuses(call.process()).touch(call.begin(), Math.max(call.endedAt(), foundBy))
                || CallSamples.mayHaveExpired(call, foundBy, timeline);
    }
}
