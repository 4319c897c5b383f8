package io.distributedlock.testkit.check;

import io.distributedlock.testkit.history.EventKind;
import io.distributedlock.testkit.history.History;
import io.distributedlock.testkit.history.Limits;
import java.util.List;
import java.util.stream.Stream;

/**
 * The result of a run of many lock cycles under faults on one topology.
 *
 * @param topology what the run was against, for example {@code standalone}
 * @param cycles how many locks were granted
 * @param faults how many faults were injected
 * @param violations the breaches that were found
 */
public record CampaignReport(String topology, long cycles, long faults, List<Violation> violations) {
    /** Copies the violations. */
    public CampaignReport {
        violations = List.copyOf(violations);
    }

    /** Checks a history and sums it up. */
    public static CampaignReport of(String topology, History history, Limits limits) {
        long cycles = history.events().stream()
                .filter(event -> event.kind() == EventKind.GRANTED)
                .count();
        return new CampaignReport(topology, cycles, history.faults().size(), HistoryChecker.check(history, limits));
    }

    /** This and the report of a further round on the same topology. */
    public CampaignReport and(CampaignReport next) {
        return new CampaignReport(
                topology,
                cycles + next.cycles,
                faults + next.faults,
                Stream.of(violations, next.violations).flatMap(List::stream).toList());
    }

    /** The report as one line. */
    public String line() {
        return "campaign: " + topology + " cycles: " + cycles + " faults: " + faults + " violations: "
                + violations.size();
    }

    /** The line, and below it each violation with its events. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(line());
        violations.forEach(violation -> text.append('\n').append(violation));
        return text.toString();
    }
}
