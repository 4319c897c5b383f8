package io.distributedlock.testkit.check;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.history.EventKind;
import java.util.List;
import java.util.Optional;

/**
 * I7: every call returns exactly once, and every hold ends exactly once, by a release or by one signal of its loss.
 *
 * <p>A release that reports the loss does not stand for the signal. Excused: calls of killed processes.
 */
final class EveryHoldEndsOnce implements Invariant {
    @Override
    public String name() {
        return "I7 every hold ends once";
    }

    @Override
    public void check(Timeline timeline, Findings findings) {
        for (List<Call> calls : timeline.calls().values()) {
            for (Call call : calls) {
                breach(call).ifPresent(message -> findings.add(call.key(), message, call));
            }
        }
    }

    private static Optional<String> breach(Call call) {
        long outcomes =
                call.events().stream().filter(each -> each.kind().isOutcome()).count();
        if (call.count(EventKind.INVOKE) != 1 || call.events().get(0).kind() != EventKind.INVOKE) {
            return Optional.of("does not begin with one call");
        }
        if (outcomes > 1) {
            return Optional.of("the call returned " + outcomes + " times");
        }
        if (outcomes == 0 && !call.isKilled()) {
            return Optional.of("the call never returned");
        }
        return call.isGranted() ? breachOfHold(call) : breachOfRefusal(call);
    }

    private static Optional<String> breachOfHold(Call call) {
        long told = call.count(EventKind.LOST);
        long releases = call.count(EventKind.RELEASED);
        long reports = call.count(EventKind.RELEASE_REPORTED_LOST);
        if (told > 1) {
            return Optional.of("the loss was told " + told + " times");
        }
        if (releases + reports > call.count(EventKind.RELEASE_INVOKED)) {
            return Optional.of("more releases returned than were invoked");
        }
        if (told == 1 && releases > 0) {
            return Optional.of("both lost and released");
        }
        if (told == 0 && reports > 0 && !call.isKilled()) {
            return Optional.of("the release reported a loss that was never told");
        }
        if (told + releases == 0 && !call.isKilled()) {
            return Optional.of("neither released nor lost");
        }
        return Optional.empty();
    }

    private static Optional<String> breachOfRefusal(Call call) {
        long more = call.events().stream()
                .filter(each -> each.kind() != EventKind.INVOKE && !each.kind().isOutcome())
                .count();
        return more == 0 ? Optional.empty() : Optional.of("went on though the lock was not granted");
    }
}
