package io.distributedlock.testkit.analysis;

import io.distributedlock.testkit.analysis.HoldIntervals.Had;
import io.distributedlock.testkit.history.CallTerms.Bond;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Which calls for a key may keep another one out.
 *
 * @param firm those that did for sure while they were held
 * @param possible those of which it can't be excluded, in any case until their owners are gone
 * @param uncleared the same, but not after a sample that was taken after they had ended and does not show them
 */
public record BlockingCalls(HoldIntervals firm, HoldIntervals possible, HoldIntervals uncleared) {
    /**
     * Against calls that want the lock alone all others; against those that want a share the call that has the lock
     * alone, or waits for that.
     */
    public static BlockingCalls against(boolean shared, List<Call> calls, Timeline timeline) {
        return shared
                ? of(calls.stream().filter(call -> !call.terms().shared()).toList(), timeline, true)
                : of(calls, timeline, false);
    }

    private static BlockingCalls of(List<Call> calls, Timeline timeline, boolean byWaiting) {
        List<Had> firm = new ArrayList<>();
        for (Call call : calls) {
            boolean early = isJoint(call) || (byWaiting && call.waits());
            if (call.isGranted()) {
                firm.add(new Had(call, early ? call.begin() : call.grantedAt(), call.heldUntil()));
            } else if (early) {
                firm.add(new Had(call, call.begin(), call.endedAt()));
            }
        }
        return new BlockingCalls(
                new HoldIntervals(firm),
                mayHaveHad(calls, call -> DeadOwner.of(call, timeline).goneBy()),
                mayHaveHad(calls, call -> clearedBy(call, timeline)));
    }

    private static HoldIntervals mayHaveHad(List<Call> calls, ToLongFunction<Call> until) {
        return new HoldIntervals(calls.stream()
                .map(call -> new Had(call, call.begin(), until.applyAsLong(call)))
                .toList());
    }

    /** A request that came late may have written the owner after it had been missing. */
    private static long clearedBy(Call call, Timeline timeline) {
        long goneBy = DeadOwner.of(call, timeline).goneBy();
        return timeline.lateRequests(call.process()).touch(call.begin(), call.endedAt())
                ? goneBy
                : CallSamples.without(call, call.endedAt(), timeline)
                        .map(sample -> Math.min(goneBy, sample.end()))
                        .orElse(goneBy);
    }

    /** One of several locks may have been there while the call still waited for the next one. */
    private static boolean isJoint(Call call) {
        return call.terms().bond() == Bond.ALL;
    }
}
