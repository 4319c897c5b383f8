package io.distributedlock.simulation;

import io.distributedlock.simulation.Step.Disturbance;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes a plan that breaks a promise shorter: it leaves out what the failure does not need, faults first. */
final class Shrinker {

    private final Predicate<Plan> fails;
    private int triesLeft;

    /**
     * @param fails whether a run of the plan still breaks a promise
     * @param tries how many runs are made at most
     */
    Shrinker(Predicate<Plan> fails, int tries) {
        this.fails = fails;
        this.triesLeft = tries;
    }

    /** A shorter plan that fails as well, or the same one. */
    Plan shrink(Plan plan) {
        Plan shorter = without(plan, Disturbance.class::isInstance);
        return without(shorter, step -> true);
    }

    /** Leaves out ever smaller parts of the steps that may go. */
    private Plan without(Plan plan, Predicate<Step> mayGo) {
        Plan best = plan;
        int part = candidates(best, mayGo).size();
        while (part > 0 && triesLeft > 0) {
            Plan shorter = withoutOnePart(best, mayGo, part);
            part = shorter == best || part > candidates(shorter, mayGo).size() ? part / 2 : part;
            best = shorter;
        }
        return best;
    }

    private Plan withoutOnePart(Plan plan, Predicate<Step> mayGo, int part) {
        Plan best = plan;
        List<Step> candidates = candidates(plan, mayGo);
        for (int end = candidates.size(); end > 0 && triesLeft > 0; end -= part) {
            List<Step> gone = candidates.subList(Math.max(0, end - part), end);
            List<Step> rest = new ArrayList<>(best.steps());
            rest.removeAll(gone);
            Plan shorter = best.with(rest);
            triesLeft--;
            if (fails.test(shorter)) {
                best = shorter;
            }
        }
        return best;
    }

    private static List<Step> candidates(Plan plan, Predicate<Step> mayGo) {
        return plan.steps().stream().filter(mayGo).toList();
    }
}
