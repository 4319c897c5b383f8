package io.distributedlock.testkit.check;

import static io.distributedlock.testkit.check.Findings.millis;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.analysis.Windows;
import io.distributedlock.testkit.history.EventKind;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * I1: no two clients believe in the same lock at once, unless both share it; a belief lasts from the return of the
 * grant to the begin of the release or the signal of the loss.
 *
 * <p>Excused: the time between a loss of server state and the limit of its detection, and the time in which one of the
 * two processes stood still. Overlaps found without a clock count as well, unless the one inside had been told before
 * or was killed: what says that it is inside stays until its end is noticed.
 */
final class HoldsAreDisjoint implements Invariant {
    @Override
    public String name() {
        return "I1 holds are disjoint";
    }

    @Override
    public void check(Timeline timeline, Findings findings) {
        for (String key : timeline.calls().keySet()) {
            sweep(timeline, timeline.grants(key), findings);
        }
        Windows excused = timeline.destruction().and(timeline.pauses());
        for (List<Call> calls : timeline.calls().values()) {
            calls.stream()
                    .filter(call -> call.count(EventKind.OVERLAP) > 0 && !findings.isFull())
                    .filter(call -> !excused.contain(call.at(EventKind.OVERLAP)) && !isWithOneThatHadEnded(call, calls))
                    .forEach(call -> findings.add(call.key(), "two clients were at work at once", call));
        }
    }

    private static void sweep(Timeline timeline, List<Call> grants, Findings findings) {
        PriorityQueue<Call> holding = new PriorityQueue<>(Comparator.comparingLong(Call::heldUntil));
        for (Call call : grants) {
            while (!holding.isEmpty() && holding.peek().heldUntil() <= call.grantedAt()) {
                holding.remove();
            }
            if (findings.isFull()) {
                return;
            }
            holding.stream()
                    .filter(earlier ->
                            !(earlier.terms().shared() && call.terms().shared()))
                    .forEach(earlier -> compare(timeline, earlier, call, findings));
            if (call.heldUntil() > call.grantedAt()) {
                holding.add(call);
            }
        }
    }

    private static void compare(Timeline timeline, Call earlier, Call later, Findings findings) {
        long begin = later.grantedAt();
        long slack = timeline.limits().signalSlack().toNanos();
        long end = Math.min(
                earlier.heldUntil() - (earlier.isLost() ? slack : 0), Math.min(later.heldUntil(), timeline.end()));
        if (end <= begin) {
            return;
        }
        Windows excused =
                timeline.destruction().and(timeline.pauses(earlier.process())).and(timeline.pauses(later.process()));
        if (!excused.cover(begin, end)) {
            String message = "held by two clients for " + millis(end - begin);
            findings.add(later.key(), message, earlier, later);
        }
    }

    /** Whether this client had been told of its loss before, or another one that was inside had been, or was killed. */
    private static boolean isWithOneThatHadEnded(Call call, List<Call> calls) {
        long instant = call.at(EventKind.OVERLAP);
        return call.at(EventKind.LOST) < instant
                || calls.stream()
                        .anyMatch(other -> (other.isLost() || other.isKilled())
                                && other.heldUntil() < instant
                                && other.at(EventKind.ENTER) < instant
                                && other.at(EventKind.EXIT) > instant);
    }
}
