package io.distributedlock.testkit.check;

import io.distributedlock.testkit.analysis.BlockingCalls;
import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.CallSamples;
import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.history.CallTerms.Bond;
import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.OwnerSample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * I4: a refusal is true: during the call another owner had the lock; or, if the call wanted a share, another owner had
 * it alone or waited for that.
 *
 * <p>The truth is a sample with another owner, or another client that held the lock for sure. Without either, it may
 * have been a call whose outcome was not clear. But if a sample shows the call's own owner, it must have been one that
 * no sample before that clears: else the refused client met itself. (One that was refused and queued may be granted the
 * lock just as its wait ends.) Of several locks that were wanted as one, another owner had at least one. Excused: calls
 * during which server state was lost or the process stood still.
 */
final class RefusalsAreBacked implements Invariant {
    @Override
    public String name() {
        return "I4 refusals are backed by another owner";
    }

    @Override
    public void check(Timeline timeline, Findings findings) {
        Map<Call, String> unbacked = new LinkedHashMap<>();
        for (List<Call> calls : timeline.calls().values()) {
            Map<Boolean, List<Call>> refused = calls.stream()
                    .filter(call -> call.endedWith(EventKind.HELD_BY_OTHER) && !isExcused(call, timeline))
                    .collect(Collectors.groupingBy(call -> call.terms().shared()));
            refused.forEach((shared, those) -> {
                BlockingCalls backing = BlockingCalls.against(shared, calls, timeline);
                those.forEach(
                        call -> breach(call, backing, timeline).ifPresent(message -> unbacked.put(call, message)));
            });
        }
        unbacked.forEach((call, message) -> {
            if (isWhole(call, unbacked, timeline)) {
                findings.add(call.key(), message, call);
            }
        });
    }

    private static Optional<String> breach(Call call, BlockingCalls backing, Timeline timeline) {
        if (backing.firm().byOther(call, call.begin(), call.endedAt())) {
            return Optional.empty();
        }
        List<OwnerSample> seen = CallSamples.during(call, timeline);
        if (seen.stream().anyMatch(sample -> sample.keepsOut(call))) {
            return Optional.empty();
        }
        Optional<OwnerSample> own = ownFirst(call, seen);
        if (own.isPresent()
                && !backing.uncleared().byOther(call, call.begin(), own.get().begin())) {
            return Optional.of("refused while Redis held the call's own owner and no other");
        }
        return backing.possible().byOther(call, call.begin(), call.endedAt())
                ? Optional.empty()
                : Optional.of("refused while no owner had the lock");
    }

    private static Optional<OwnerSample> ownFirst(Call call, List<OwnerSample> seen) {
        return seen.stream()
                .filter(sample -> !call.owner().isEmpty() && sample.has(call.owner()))
                .filter(sample -> sample.end() < call.endedAt())
                .findFirst();
    }

    /** Whether nothing that was wanted together with this has been refused with a reason. */
    private static boolean isWhole(Call call, Map<Call, String> unbacked, Timeline timeline) {
        return call.terms().bond() != Bond.ALL
                || unbacked.keySet()
                        .containsAll(timeline.joint().get(call.terms().group()));
    }

    private static boolean isExcused(Call call, Timeline timeline) {
        return timeline.excuses(call.process()).touch(call.begin(), call.endedAt());
    }
}
