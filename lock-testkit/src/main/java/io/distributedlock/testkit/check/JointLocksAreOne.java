package io.distributedlock.testkit.check;

import io.distributedlock.testkit.analysis.Call;
import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.history.EventKind;
import java.util.List;
import java.util.Map;

/**
 * I11: the locks of several keys that were asked for as one are granted all or none, are lost as one and end as one.
 *
 * <p>Excused: those of killed processes.
 */
final class JointLocksAreOne implements Invariant {
    @Override
    public String name() {
        return "I11 joint locks are one";
    }

    @Override
    public void check(Timeline timeline, Findings findings) {
        for (Map.Entry<String, List<Call>> group : timeline.joint().entrySet()) {
            List<Call> parts = group.getValue();
            if (parts.stream().noneMatch(Call::isKilled)) {
                check(parts, EventKind.GRANTED, "granted", findings);
                check(parts, EventKind.LOST, "lost", findings);
                check(parts, EventKind.RELEASED, "released", findings);
            }
        }
    }

    private static void check(List<Call> parts, EventKind kind, String word, Findings findings) {
        long count = parts.stream().filter(part -> part.count(kind) > 0).count();
        if (count > 0 && count < parts.size()) {
            String message = count + " of " + parts.size() + " locks that belong together were " + word;
            findings.add(parts.get(0).key(), message, parts.toArray(Call[]::new));
        }
    }
}
