package io.distributedlock.testkit.analysis;

import io.distributedlock.testkit.analysis.Windows.Span;
import io.distributedlock.testkit.history.CallTerms.Bond;
import io.distributedlock.testkit.history.EventKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The times in which a call waited for a key's lock and no other call could have had it. */
public final class UnmetDemand {
    private final List<Change> changes = new ArrayList<>();
    private final Timeline timeline;

    /** What changes at an instant: how many wait, and how many may have the lock. */
    private record Change(long at, int waiting, int having) {}

    private UnmetDemand(Timeline timeline) {
        this.timeline = timeline;
    }

    public static List<Span> of(List<Call> calls, Timeline timeline) {
        UnmetDemand demand = new UnmetDemand(timeline);
        calls.forEach(demand::add);
        return demand.spans();
    }

    /**
     * A waiter until the call returns; then one who may have the lock, unless the call was refused for sure. A call for
     * several locks waits for none of them all the time, and may have each before it returns.
     */
    private void add(Call call) {
        if (call.terms().bond() != Bond.NONE) {
            have(call, call.begin());
            return;
        }
        long returned = call.isGranted() ? call.grantedAt() : call.endedAt();
        change(call.begin(), 1, 0);
        change(returned, -1, 0);
        if (!call.endedWith(EventKind.HELD_BY_OTHER) && !call.endedWith(EventKind.UNAVAILABLE)) {
            have(call, returned);
        }
    }

    private void have(Call call, long from) {
        change(from, 0, 1);
        change(DeadOwner.of(call, timeline).goneBy(), 0, -1);
    }

    private void change(long at, int waiting, int having) {
        changes.add(new Change(Math.min(at, timeline.end()), waiting, having));
    }

    private List<Span> spans() {
        changes.sort(Comparator.comparingLong(Change::at));
        List<Span> spans = new ArrayList<>();
        int waiting = 0;
        int having = 0;
        long unmetSince = Call.NEVER;
        for (Change change : changes) {
            waiting += change.waiting();
            having += change.having();
            boolean unmet = waiting > 0 && having == 0;
            if (unmet && unmetSince == Call.NEVER) {
                unmetSince = change.at();
            } else if (!unmet && unmetSince != Call.NEVER) {
                spans.add(new Span(unmetSince, change.at()));
                unmetSince = Call.NEVER;
            }
        }
        return spans;
    }
}
