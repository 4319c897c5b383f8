package io.distributedlock.testkit.check;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * I2: each grant's fencing token is higher than those of all grants of the same key before it, of shares those whose
 * calls had returned when it was asked for, and a guarded resource never accepts a write with a lower token than the
 * last.
 *
 * <p>No loss of server state excuses a breach. A grant is not compared if it may have been recorded after a later one
 * was given: because its process stood still during the call, because its thread did not run before its lease was over,
 * so that the loss is signalled before the holder has begun, or because the server lost its state meanwhile and granted
 * the lock again.
 */
final class TokensGrow implements Invariant {
    @Override
    public String name() {
        return "I2 fencing tokens grow";
    }

    @Override
    public void check(Timeline timeline, Findings findings) {
        timeline.calls().keySet().forEach(key -> checkGrants(timeline, timeline.grants(key), findings));
        checkResources(timeline.history().events(), findings);
    }

    private static void checkGrants(Timeline timeline, List<Call> grants, Findings findings) {
        @Nullable Call highest = null;
        NavigableMap<Long, Call> highestShares = new TreeMap<>();
        for (Call call : grants) {
            if (call.token() == 0 || mayBeRecordedLate(timeline, call)) {
                continue;
            }
            boolean shared = call.terms().shared();
            @Nullable Call before = higher(highest, upTo(highestShares, shared ? call.begin() : call.grantedAt()));
            if (before != null && call.token() <= before.token()) {
                String message = "token " + call.token() + " was granted after token " + before.token();
                findings.add(call.key(), message, before, call);
            } else if (shared) {
                highestShares.put(call.grantedAt(), higherOf(upTo(highestShares, call.grantedAt()), call));
            } else {
                highest = call;
            }
        }
    }

    private static @Nullable Call upTo(NavigableMap<Long, Call> highest, long instant) {
        Map.@Nullable Entry<Long, Call> entry = highest.floorEntry(instant);
        return entry == null ? null : entry.getValue();
    }

    private static @Nullable Call higher(@Nullable Call one, @Nullable Call other) {
        return other == null ? one : higherOf(one, other);
    }

    private static Call higherOf(@Nullable Call one, Call other) {
        return one == null || one.token() < other.token() ? other : one;
    }

    private static boolean mayBeRecordedLate(Timeline timeline, Call call) {
        return isOverBeforeItBegan(call)
                || timeline.pauses(call.process()).touch(call.begin(), call.grantedAt())
                || timeline.losses().touch(call.begin(), call.grantedAt());
    }

    private static boolean isOverBeforeItBegan(Call call) {
        long entered = call.at(EventKind.ENTER);
        return entered != Call.NEVER
                && call.first(EventKind.LOST)
                        .filter(lost -> lost.detail().equals("DEADLINE") && lost.nanos() < entered)
                        .isPresent();
    }

    private static void checkResources(List<Event> events, Findings findings) {
        Map<String, Long> highest = new HashMap<>();
        for (Event event : events) {
            if (event.kind() == EventKind.ACCEPTED) {
                long before = highest.merge(event.key(), event.value(), Math::max);
                if (event.value() < before) {
                    findings.add(
                            event.key(),
                            "the resource accepted token " + event.value() + " after token " + before,
                            new Call(List.of(event), Call.NEVER));
                }
            }
        }
    }
}
