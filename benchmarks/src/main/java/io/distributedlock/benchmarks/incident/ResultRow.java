package io.distributedlock.benchmarks.incident;

import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.incident.RunResult.Again;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** How a result is printed. */
final class ResultRow {

    private static final String NOTHING = "-";

    private final CaseResult result;
    private final int runs;

    private ResultRow(CaseResult result) {
        this.result = result;
        this.runs = result.runs().size();
    }

    static Row of(CaseResult result) {
        ResultRow row = new ResultRow(result);
        return new Row(row.cells(), row.figures());
    }

    private Map<String, String> cells() {
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("scene", result.faultCase().title());
        cells.put("library", result.library().title());
        cells.put("runs", String.valueOf(runs));
        cells.put("the caller was told", outcome());
        cells.put("true?", truth());
        cells.put("the key stayed", stayed());
        cells.put("who got the lock next", next());
        return cells;
    }

    private Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("scene", result.faultCase().name());
        figures.put("title", result.faultCase().title());
        figures.put("library", result.library().title());
        figures.put("version", result.library().version());
        figures.put("runs", runs);
        figures.put("told", result.outcome());
        figures.put("toldAfterMaxMs", result.toldAfter().map(Duration::toMillis));
        figures.put("toldUntrue", result.untrue());
        figures.put("keyStuck", result.stuck());
        figures.put("keyStayedMedianMs", result.medianStay().toMillis());
        figures.put("keyStayedMaxMs", result.lifetime().toMillis());
        figures.put("leaseLeftMs", result.leaseLeft().toMillis());
        figures.put("renewals", result.renewals());
        figures.put("nextClientGotIt", result.passedOn());
        figures.put("nextClientAfterMaxMs", result.nextAfter().map(Duration::toMillis));
        figures.put("firstClientAgain", result.again());
        return figures;
    }

    private String outcome() {
        Map<String, Long> outcome = result.outcome();
        return switch (outcome.size()) {
            case 0 -> NOTHING;
            case 1 -> outcome.keySet().iterator().next();
            default ->
                outcome.entrySet().stream()
                        .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
                        .collect(Collectors.joining(", "));
        };
    }

    private String truth() {
        if (result.untrue() > 0) {
            return "NO" + share(result.untrue());
        }
        return result.hasClaim() ? "yes" : result.outcome().isEmpty() ? NOTHING : "no claim";
    }

    private String stayed() {
        if (result.stuck() == 0) {
            return "at most " + DurationFormat.text(result.lifetime());
        }
        String rest = result.renewals() > 0
                ? "renewed " + result.renewals() + " times"
                : DurationFormat.text(result.leaseLeft()) + " left";
        return "over " + DurationFormat.text(Recovery.WINDOW) + ", " + rest + share(result.stuck());
    }

    private String next() {
        if (result.passedOn() == runs) {
            return "any client, after at most "
                    + DurationFormat.text(result.nextAfter().orElse(Duration.ZERO));
        }
        String others = result.passedOn() == 0 ? "no client" : "any client" + share(result.passedOn());
        if (result.again().containsKey(Again.GRANTED_FOR_EVER)) {
            return others + " but the first thread, which could not free it";
        }
        return result.again().containsKey(Again.GRANTED) ? others + " but the first client" : others;
    }

    private String share(long part) {
        return part == runs ? "" : " (" + part + " of " + runs + ")";
    }
}
