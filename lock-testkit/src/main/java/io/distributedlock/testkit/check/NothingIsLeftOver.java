package io.distributedlock.testkit.check;

import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.history.FinalState;
import java.util.TreeMap;

/**
 * I10: when all clients have finished, no key, thread, subscription or clean-up entry is left.
 *
 * <p>Needs what was {@linkplain FinalState left}, taken when nothing was under way; without that it decides nothing.
 */
final class NothingIsLeftOver implements Invariant {
    @Override
    public String name() {
        return "I10 nothing is left over";
    }

    @Override
    public void check(Timeline timeline, Findings findings) {
        timeline.history().rest().ifPresent(rest -> {
            rest.keys().forEach(key -> findings.add(key, "the key is left in Redis"));
            new TreeMap<>(rest.gauges()).forEach((gauge, value) -> {
                if (value != 0) {
                    findings.add("", gauge + " is " + value + " instead of 0");
                }
            });
        });
    }
}
