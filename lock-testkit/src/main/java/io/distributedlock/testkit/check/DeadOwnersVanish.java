package io.distributedlock.testkit.check;

import static io.distributedlock.testkit.check.Findings.millis;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.DeadOwner;
import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.history.OwnerSample;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * I3: an owner value that no call uses any more is gone from Redis within the orphan limit of time in which Redis could
 * be reached; for a killed process or a late request within the limits for those.
 *
 * <p>Needs samples. Excused: what is seen within a lease after a loss of server state, which may have brought owners
 * back. An owner that no call has told is taken for that of some call for the key whose owner is not known, such as one
 * that was killed before its reply.
 */
final class DeadOwnersVanish implements Invariant {
    @Override
    public String name() {
        return "I3 dead owners vanish";
    }

    @Override
    public void check(Timeline timeline, Findings findings) {
        for (Map.Entry<String, List<Call>> entry : timeline.calls().entrySet()) {
            check(timeline, entry.getKey(), entry.getValue(), findings);
        }
    }

    private static void check(Timeline timeline, String key, List<Call> calls, Findings findings) {
        if (timeline.samples(key).isEmpty()) {
            return;
        }
        Map<String, DeadOwner> owners = new HashMap<>();
        calls.forEach(call -> owners.merge(call.owner(), DeadOwner.of(call, timeline), DeadOwner::and));
        Set<String> reported = new HashSet<>();
        for (OwnerSample sample : timeline.samples(key)) {
            if (timeline.restoration().contain(sample.begin())) {
                continue;
            }
            for (String owner : sample.owners()) {
                @Nullable DeadOwner known = owners.get(owner);
                boolean outlived =
                        known == null ? isUnexplained(timeline, calls, sample) : sample.begin() > known.goneBy();
                if (outlived && reported.add(owner)) {
                    report(sample, owner, known, findings);
                }
            }
        }
    }

    private static boolean isUnexplained(Timeline timeline, List<Call> calls, OwnerSample sample) {
        return calls.stream()
                .filter(call -> call.owner().isEmpty() && call.begin() <= sample.end())
                .map(call -> DeadOwner.of(call, timeline))
                .noneMatch(owner -> sample.begin() <= owner.goneBy());
    }

    private static void report(OwnerSample sample, String owner, @Nullable DeadOwner known, Findings findings) {
        if (known == null) {
            findings.add(sample.key(), "owner " + owner + " is in Redis and belongs to no call");
        } else {
            String message = "owner " + owner + " was in Redis "
                    + millis(sample.begin() - known.last().endedAt()) + " after its end, "
                    + millis(sample.begin() - known.goneBy()) + " too long, with "
                    + sample.remaining(owner).toMillis() + " ms left";
            findings.add(sample.key(), message, known.last());
        }
    }
}
