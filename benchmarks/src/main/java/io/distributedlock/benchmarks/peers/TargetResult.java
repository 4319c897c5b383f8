package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.figures.Digits;

/**
 * A target and what was seen.
 *
 * @param reached 1 or more if the target is met; its part that was reached if not
 */
record TargetResult(Target target, double seen, double reached) {

    boolean isMet() {
        return reached >= 1;
    }

    String text() {
        return (isMet() ? "met:    " : "MISSED: ") + target.text() + "; seen " + Digits.of(seen);
    }
}
