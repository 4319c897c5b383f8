package io.distributedlock.testkit.history;

import io.distributedlock.testkit.history.Possession.Had;
import java.util.List;

/**
 * I4: whoever is told that somebody else has the lock is told the truth: during the call somebody else had it.
 *
 * <p>The truth is a sample with another owner, or another client that held the lock for sure. Without either, it may
 * have been a call whose outcome was not clear, but not if samples show the call's own owner: then the refused client
 * met itself. Excused: calls during which server state was lost or the process stood still.
 */
final class RefusalsAreBacked implements Invariant {
    @Override
    public String name() {
        return "I4 refusals are backed by another owner";
    }

    @Override
    public void check(Timeline timeline, Findings findings) {
        for (String key : timeline.calls().keySet()) {
            List<Call> calls = timeline.calls().get(key);
            Possession firm = new Possession(timeline.grants(key).stream()
                    .map(call -> new Had(call, call.grantedAt(), call.heldUntil()))
                    .toList());
            Possession possible = new Possession(calls.stream()
                    .map(call -> new Had(
                            call, call.begin(), DeadOwner.of(call, timeline).goneBy()))
                    .toList());
            calls.stream()
                    .filter(call -> call.endedWith(EventKind.HELD_BY_OTHER) && !isExcused(call, timeline))
                    .filter(call -> !firm.byOther(call, call.begin(), call.endedAt()))
                    .forEach(call -> check(call, Sightings.during(call, timeline), possible, findings));
        }
    }

    private static void check(Call call, List<OwnerSample> seen, Possession possible, Findings findings) {
        boolean other = seen.stream()
                .anyMatch(sample -> !sample.owner().isEmpty() && !sample.owner().equals(call.owner()));
        boolean itself = !call.owner().isEmpty()
                && seen.stream().anyMatch(sample -> sample.owner().equals(call.owner()));
        if (other) {
            return;
        }
        if (itself) {
            findings.add(call.key(), "refused while Redis held the call's own owner and no other", call);
        } else if (!possible.byOther(call, call.begin(), call.endedAt())) {
            findings.add(call.key(), "refused while nobody had the lock", call);
        }
    }

    private static boolean isExcused(Call call, Timeline timeline) {
        return timeline.excuses(call.process()).touch(call.begin(), call.endedAt());
    }
}
