package io.distributedlock.testkit.check;

import io.distributedlock.testkit.analysis.Timeline;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.Limits;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks what clients of locks have recorded against the eleven invariants of this package.
 *
 * <p>Each is decided by sweeps over the calls, samples and faults of a key in the order of time, so that a history of n
 * entries takes O(n log n). What the records can't decide counts as kept: without samples, I3 to I6 say little.
 */
public final class HistoryChecker {
    private static final List<Invariant> INVARIANTS = List.of(
            new HoldsAreDisjoint(),
            new TokensGrow(),
            new DeadOwnersVanish(),
            new RefusalsAreBacked(),
            new GrantsAreInRedis(),
            new LossIsSignalledBeforeExpiry(),
            new EveryHoldEndsOnce(),
            new WaitersMakeProgress(),
            new OneReleaseFreesOneLock(),
            new NothingIsLeftOver(),
            new JointLocksAreOne());

    private HistoryChecker() {}

    /** All breaches, by invariant; of one invariant at most a thousand. */
    public static List<Violation> check(History history, Limits limits) {
        Timeline timeline = new Timeline(history, limits);
        List<Violation> violations = new ArrayList<>();
        for (Invariant invariant : INVARIANTS) {
            Findings findings = new Findings(invariant.name());
            invariant.check(timeline, findings);
            violations.addAll(findings.violations());
        }
        return violations;
    }
}
