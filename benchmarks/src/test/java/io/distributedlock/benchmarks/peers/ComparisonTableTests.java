package io.distributedlock.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.Report.Table;
import io.distributedlock.benchmarks.figures.Round;
import io.distributedlock.benchmarks.figures.Series;
import io.distributedlock.benchmarks.peer.Catalogue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComparisonTableTests {

    private static final String RATE = "rate";
    private static final String WAIT = "wait";
    private static final FigureKey OURS = FigureKey.ours("empty", RATE);
    private final List<ResultLine> lines = new ArrayList<>();

    @Test
    void ratiosAreTakenWithinOneCase() {
        line("empty", "ours", Map.of(RATE, 300.0));
        line("empty", "redisson", Map.of(RATE, 100.0));
        line("empty", "raw-sync", Map.of(RATE, 400.0));
        line("1 ms", "ours", Map.of(RATE, 90.0));
        line("1 ms", "redisson", Map.of(RATE, 60.0));

        List<Row> rows = table(Target.atLeast(2, OURS, OURS.of("redisson"))).rows();

        assertThat(rows.get(0).cells())
                .containsEntry("x redisson", "3.00")
                .containsEntry("x raw-sync", "0.75")
                .containsEntry("x target", "1.50");
        assertThat(rows.get(3).cells())
                .containsEntry("x redisson", "1.50")
                .containsEntry("x raw-sync", "-")
                .containsEntry("x target", "-");
        assertThat(rows.get(3).figures()).containsEntry("xRedisson", 1.5).doesNotContainKey("xFloor");
    }

    @Test
    void aScenarioThatFailedHasATableThatSaysSo() {
        line("empty", "ours", Map.of(RATE, 1.0));
        Comparison failed =
                Comparison.failed(lines.stream().map(ResultLine::peer).toList(), "no Redis");

        Table table = ComparisonTable.of(new ManyClients(), failed, Optional.empty());

        assertThat(table.rows()).extracting(row -> row.cells().get("remarks")).containsExactly("FAILED: no Redis");
        assertThat(failed.isSound()).isFalse();
    }

    @Test
    void ofSeveralTargetsTheFarthestIsShownAndAllAreListed() {
        line("empty", "ours", Map.of(RATE, 150.0, WAIT, 3.0));
        line("empty", "redisson", Map.of(RATE, 100.0, WAIT, 4.0));
        FigureKey wait = FigureKey.ours("empty", WAIT);

        Table table = table(
                Target.atLeast(1.2, OURS, OURS.of("redisson")),
                Target.atLeast(300, OURS),
                Target.atMost(0.5, wait, wait.of("redisson")));

        assertThat(table.rows().get(0).cells()).containsEntry("x target", "0.50");
        assertThat(table.notes())
                .containsExactly(
                        "met:    empty, ours: rate at least 1.20 x redisson; seen 1.50",
                        "MISSED: empty, ours: rate at least 300; seen 150",
                        "MISSED: empty, ours: wait at most 0.50 x redisson; seen 0.75",
                        "another client was busy");
    }

    @Test
    void aTargetWithoutItsFiguresIsNotJudged() {
        line("empty", "ours", Map.of(RATE, 150.0));

        assertThat(Target.atLeast(1.2, OURS, OURS.of("redisson")).judge(new Comparison(lines)))
                .isEmpty();
        assertThat(Target.atLeast(1.2, OURS, OURS.in("1 ms")).judge(new Comparison(lines)))
                .isEmpty();
    }

    @Test
    void aPeerThatFailedHasARowThatSaysSo() {
        line("empty", "ours", Map.of(RATE, 150.0));
        Series failed = new Series();
        failed.fail("it hung");
        lines.add(new ResultLine("empty", Catalogue.named("redisson").orElseThrow(), failed));

        Row row = table().rows().get(1);

        assertThat(row.cells()).containsEntry("rate [min..max]", "-").containsEntry("remarks", "FAILED: it hung");
        assertThat(new Comparison(lines).isSound()).isTrue();
    }

    @Test
    void aComparisonInWhichThisLibraryFailedIsNotSound() {
        Series failed = new Series();
        failed.fail("it hung");
        lines.add(new ResultLine("empty", Catalogue.named("ours").orElseThrow(), failed));

        assertThat(new Comparison(lines).isSound()).isFalse();
    }

    @Test
    void aColumnWithoutFiguresIsLeftOut() {
        line("empty", "ours", Map.of(RATE, 150.0));

        assertThat(table().rows().get(0).cells()).doesNotContainKey(WAIT);
    }

    private void line(String kase, String peer, Map<String, Double> values) {
        Series series = new Series();
        series.add(Round.of(values));
        lines.add(new ResultLine(kase, Catalogue.named(peer).orElseThrow(), series));
    }

    private Table table(Target... targets) {
        Scenario scenario = new Scenario() {
            @Override
            public String id() {
                return "0";
            }

            @Override
            public String title() {
                return "made up";
            }

            @Override
            public TableLayout layout() {
                return new TableLayout(RATE, "raw-sync", List.of(WAIT), List.of(targets));
            }

            @Override
            public Duration shortLimit() {
                return Duration.ZERO;
            }

            @Override
            public Comparison run(RunOptions setting) {
                throw new UnsupportedOperationException("no caller runs it here");
            }
        };
        return ComparisonTable.of(scenario, new Comparison(lines), Optional.of("another client was busy"));
    }
}
