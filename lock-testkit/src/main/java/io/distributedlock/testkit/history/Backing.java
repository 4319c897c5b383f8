package io.distributedlock.testkit.history;

import io.distributedlock.testkit.history.CallTerms.Bond;
import io.distributedlock.testkit.history.Possession.Had;
import java.util.ArrayList;
import java.util.List;

/**
 * Which calls for a key may keep another one out.
 *
 * @param firm those that did for sure while they were held
 * @param possible those of which it can't be excluded, in any case until their owners are gone
 */
record Backing(Possession firm, Possession possible) {
    /** Against calls that want the lock alone everybody else; against those that want a share whoever has the lock alone, or waits for that. */
    static Backing against(boolean shared, List<Call> calls, Timeline timeline) {
        return shared
                ? of(calls.stream().filter(call -> !call.terms().shared()).toList(), timeline, true)
                : of(calls, timeline, false);
    }

    private static Backing of(List<Call> calls, Timeline timeline, boolean byWaiting) {
        List<Had> firm = new ArrayList<>();
        for (Call call : calls) {
            boolean early = isJoint(call) || (byWaiting && call.waits());
            if (call.isGranted()) {
                firm.add(new Had(call, early ? call.begin() : call.grantedAt(), call.heldUntil()));
            } else if (early) {
                firm.add(new Had(call, call.begin(), call.endedAt()));
            }
        }
        List<Had> possible = calls.stream()
                .map(call ->
                        new Had(call, call.begin(), DeadOwner.of(call, timeline).goneBy()))
                .toList();
        return new Backing(new Possession(firm), new Possession(possible));
    }

    /** One of several locks may have been there while the call still waited for the next one. */
    private static boolean isJoint(Call call) {
        return call.terms().bond() == Bond.ALL;
    }
}
