package io.distributedlock.testkit.check;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.CallSamples;
import io.distributedlock.testkit.analysis.Timeline;

/**
 * I5: the owner of every grant was in Redis at some time during the call or the hold.
 *
 * <p>Needs samples; a hold too short for one during it is not decided. Excused: samples from a time of lost server
 * state or of a process that stood still.
 */
final class GrantsAreInRedis implements Invariant {
    @Override
    public String name() {
        return "I5 grants are in Redis";
    }

    @Override
    public void check(Timeline timeline, Findings findings) {
        for (String key : timeline.calls().keySet()) {
            for (Call call : timeline.grants(key)) {
                CallSamples sightings = CallSamples.of(call, timeline);
                if (!findings.isFull()
                        && sightings.missing().isPresent()
                        && sightings.before().isEmpty()) {
                    findings.add(key, "granted to owner " + call.owner() + ", which was never seen in Redis", call);
                }
            }
        }
    }
}
