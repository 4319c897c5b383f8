package io.distributedlock.testkit.check;

import static io.distributedlock.testkit.check.Findings.millis;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.CallSamples;
import io.distributedlock.testkit.analysis.Timeline;

/**
 * I6: a holder is notified of the loss of its lock before Redis lets it expire.
 *
 * <p>Needs samples: a breach is one without the owner at a time when the owner could have expired and its client had
 * neither been told nor begun to release. Excused: processes that stood still, and lost server state until the limit of
 * its detection.
 */
final class LossIsSignalledBeforeExpiry implements Invariant {
    @Override
    public String name() {
        return "I6 a loss is signalled before expiry";
    }

    @Override
    public void check(Timeline timeline, Findings findings) {
        for (String key : timeline.calls().keySet()) {
            for (Call call : timeline.grants(key)) {
                CallSamples sightings = CallSamples.of(call, timeline);
                if (!findings.isFull() && sightings.mayHaveExpired()) {
                    long missing = sightings.missing().orElseThrow().end();
                    long told = Math.min(call.heldUntil(), timeline.end());
                    findings.add(key, "expired in Redis at least " + millis(told - missing) + " before its end", call);
                }
            }
        }
    }
}
