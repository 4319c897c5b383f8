package io.distributedlock.benchmarks.peers;

import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.Report.Table;
import io.distributedlock.benchmarks.figures.Digits;
import io.distributedlock.benchmarks.figures.Spread;
import io.distributedlock.benchmarks.peer.Catalogue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** How a comparison is printed. */
final class ComparisonTable {

    private static final String NOTHING = "-";
    private static final int LONGEST_REMARK = 100;

    private final Scenario scenario;
    private final TableLayout layout;
    private final Comparison comparison;
    private final List<TargetResult> results;
    private final List<String> others;

    private ComparisonTable(Scenario scenario, Comparison comparison) {
        this.scenario = scenario;
        this.layout = scenario.layout();
        this.comparison = comparison;
        this.results = results(scenario, comparison);
        this.others = layout.others().stream().filter(this::isMeasured).toList();
    }

    /** @param remark a sentence below the table */
    static Table of(Scenario scenario, Comparison comparison, Optional<String> remark) {
        ComparisonTable table = new ComparisonTable(scenario, comparison);
        return new Table(
                scenario.id() + " " + scenario.title(),
                comparison.lines().stream().map(table::row).toList(),
                Stream.concat(table.results.stream().map(TargetResult::text), remark.stream())
                        .toList());
    }

    static List<TargetResult> results(Scenario scenario, Comparison comparison) {
        return scenario.layout().targets().stream()
                .flatMap(target -> target.judge(comparison).stream())
                .toList();
    }

    private boolean isMeasured(String heading) {
        return comparison.lines().stream()
                .anyMatch(line -> line.series().spread(heading).isPresent());
    }

    private Row row(ResultLine line) {
        return new Row(cells(line), figures(line));
    }

    private Map<String, String> cells(ResultLine line) {
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("case", line.kase());
        cells.put("peer", line.peer().name());
        cells.put(
                layout.main() + " [min..max]",
                line.series().spread(layout.main()).map(Digits::of).orElse(NOTHING));
        cells.put("x redisson", text(ratio(line, Catalogue.REDISSON)));
        cells.put("x " + layout.floor(), text(ratio(line, layout.floor())));
        cells.put("x target", text(reached(line)));
        others.forEach(heading -> cells.put(
                heading,
                line.series()
                        .spread(heading)
                        .map(Spread::median)
                        .map(Digits::of)
                        .orElse(NOTHING)));
        cells.put("remarks", shortened(String.join("; ", line.series().remarks())));
        return cells;
    }

    private Map<String, Object> figures(ResultLine line) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("scenario", scenario.id());
        figures.put("case", line.kase());
        figures.put("peer", line.peer().name());
        line.series().spread(layout.main()).ifPresent(spread -> figures.put(layout.main(), spread));
        ratio(line, Catalogue.REDISSON).ifPresent(ratio -> figures.put("xRedisson", ratio));
        ratio(line, layout.floor()).ifPresent(ratio -> figures.put("xFloor", ratio));
        figures.put("floor", layout.floor());
        reached(line).ifPresent(ratio -> figures.put("xTarget", ratio));
        others.forEach(heading -> line.series().spread(heading).ifPresent(spread -> figures.put(heading, spread)));
        figures.put("remarks", line.series().remarks());
        return figures;
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_REMARK ? text : text.substring(0, LONGEST_REMARK) + "...";
    }

    private static String text(OptionalDouble ratio) {
        return ratio.isPresent() ? Digits.of(ratio.getAsDouble()) : NOTHING;
    }

    private OptionalDouble ratio(ResultLine line, String other) {
        FigureKey place = new FigureKey(line.kase(), line.peer().name(), layout.main());
        OptionalDouble figure = comparison.at(place);
        OptionalDouble unit = comparison.at(place.of(other));
        return figure.isEmpty() || unit.isEmpty() || unit.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(figure.getAsDouble() / unit.getAsDouble());
    }

    /** The target for the main figure of this line that it is farthest from. */
    private OptionalDouble reached(ResultLine line) {
        FigureKey place = new FigureKey(line.kase(), line.peer().name(), layout.main());
        return results.stream()
                .filter(verdict -> verdict.target().place().equals(place))
                .mapToDouble(TargetResult::reached)
                .min();
    }
}
