package io.distributedlock.testkit.check;

import static io.distributedlock.testkit.check.Findings.millis;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.analysis.UnmetDemand;
import io.distributedlock.testkit.analysis.Windows;
import io.distributedlock.testkit.analysis.Windows.Span;
import io.distributedlock.testkit.history.Event;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.Limits;
import java.time.Duration;
import java.util.List;

/**
 * I8: no call takes longer than its wait time and two command time-outs, and a free lock that a call waits for is
 * granted within the recovery limit.
 *
 * <p>Both with the slack for a slow host. The times in which a caller's process stood still, and for the second rule
 * those of any fault, do not count; a lock is not free while a dead owner may still be in Redis.
 */
final class WaitersMakeProgress implements Invariant {
    @Override
    public String name() {
        return "I8 waiters make progress";
    }

    @Override
    public void check(Timeline timeline, Findings findings) {
        Windows faults = timeline.faults();
        for (List<Call> calls : timeline.calls().values()) {
            calls.forEach(call -> checkDuration(call, timeline, findings));
            for (Span span : UnmetDemand.of(calls, timeline)) {
                checkRecovery(calls.get(0).key(), faults.outside(span.begin(), span.end()), timeline, findings);
            }
        }
    }

    private static void checkDuration(Call call, Timeline timeline, Findings findings) {
        Limits limits = timeline.limits();
        long waitMillis = call.first(EventKind.INVOKE).map(Event::value).orElse(0L);
        Duration allowed = Duration.ofMillis(waitMillis)
                .plus(limits.commandTimeout().multipliedBy(2))
                .plus(limits.schedulingSlack());
        long returned = call.isGranted() ? call.grantedAt() : call.endedAt();
        long taken = timeline.pauses(call.process()).outside(call.begin(), Math.min(returned, timeline.end()));
        if (taken > allowed.toNanos()) {
            String message = "the call took " + millis(taken) + " of at most " + allowed.toMillis() + " ms";
            findings.add(call.key(), message, call);
        }
    }

    private static void checkRecovery(String key, long idle, Timeline timeline, Findings findings) {
        Limits limits = timeline.limits();
        if (idle > limits.recovery().plus(limits.schedulingSlack()).toNanos()) {
            findings.add(key, "free for " + millis(idle) + " while a call waited");
        }
    }
}
