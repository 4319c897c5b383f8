package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.incident.Sighting.Again;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** How a finding is printed. */
final class FindingRow {

    private static final String NOTHING = "-";

    private final Finding finding;
    private final int runs;

    private FindingRow(Finding finding) {
        this.finding = finding;
        this.runs = finding.runs().size();
    }

    static Row of(Finding finding) {
        FindingRow row = new FindingRow(finding);
        return new Row(row.cells(), row.figures());
    }

    private Map<String, String> cells() {
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("scene", finding.scene().title());
        cells.put("library", finding.library().title());
        cells.put("runs", String.valueOf(runs));
        cells.put("the caller was told", told());
        cells.put("true?", truth());
        cells.put("the key stayed", stayed());
        cells.put("who got the lock next", next());
        return cells;
    }

    private Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("scene", finding.scene().name());
        figures.put("title", finding.scene().title());
        figures.put("library", finding.library().title());
        figures.put("version", finding.library().version());
        figures.put("runs", runs);
        figures.put("told", finding.told());
        figures.put("toldAfterMaxMs", finding.toldAfter().map(Duration::toMillis));
        figures.put("toldUntrue", finding.untrue());
        figures.put("keyStuck", finding.stuck());
        figures.put("keyStayedMedianMs", finding.medianStay().toMillis());
        figures.put("keyStayedMaxMs", finding.stay().toMillis());
        figures.put("leaseLeftMs", finding.leaseLeft().toMillis());
        figures.put("renewals", finding.renewals());
        figures.put("nextClientGotIt", finding.passedOn());
        figures.put("nextClientAfterMaxMs", finding.nextAfter().map(Duration::toMillis));
        figures.put("firstClientAgain", finding.again());
        return figures;
    }

    private String told() {
        Map<String, Long> told = finding.told();
        return switch (told.size()) {
            case 0 -> NOTHING;
            case 1 -> told.keySet().iterator().next();
            default ->
                told.entrySet().stream()
                        .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
                        .collect(Collectors.joining(", "));
        };
    }

    private String truth() {
        if (finding.untrue() > 0) {
            return "NO" + share(finding.untrue());
        }
        return finding.hasClaim() ? "yes" : finding.told().isEmpty() ? NOTHING : "no claim";
    }

    private String stayed() {
        if (finding.stuck() == 0) {
            return "at most " + Times.text(finding.stay());
        }
        String rest = finding.renewals() > 0
                ? "renewed " + finding.renewals() + " times"
                : Times.text(finding.leaseLeft()) + " left";
        return "over " + Times.text(Aftermath.WINDOW) + ", " + rest + share(finding.stuck());
    }

    private String next() {
        if (finding.passedOn() == runs) {
            return "anybody, after at most " + Times.text(finding.nextAfter().orElse(Duration.ZERO));
        }
        String others = finding.passedOn() == 0 ? "nobody" : "anybody" + share(finding.passedOn());
        if (finding.again().containsKey(Again.GRANTED_FOR_EVER)) {
            return others + " but the first thread, which could not free it";
        }
        return finding.again().containsKey(Again.GRANTED) ? others + " but the first client" : others;
    }

    private String share(long part) {
        return part == runs ? "" : " (" + part + " of " + runs + ")";
    }
}
