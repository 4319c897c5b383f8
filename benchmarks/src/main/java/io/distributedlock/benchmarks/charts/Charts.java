package io.distributedlock.benchmarks.charts;

import io.distributedlock.benchmarks.Program;
import io.distributedlock.benchmarks.Report;
import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.Report.Table;
import io.distributedlock.benchmarks.WrongUsage;
import java.awt.Color;
import java.awt.Rectangle;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.svg.SVGGraphics2D;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Draws the main figure of each scenario that {@code peers --json} has written, as one SVG file each. */
public final class Charts implements Program {

    private static final int WIDTH = 860;
    private static final int HEIGHT = 380;
    /** Beyond this factor the smaller bars would not be seen, so that the axis is logarithmic. */
    private static final double LOGARITHMIC_FROM = 20;

    /** The figures of one scenario: for each peer, by case. */
    private record Scenario(String id, String heading, Map<String, Map<String, Double>> peers) {}

    @Override
    public String name() {
        return "charts";
    }

    @Override
    public String purpose() {
        return "draws RESULT.json of peers as SVG files: charts RESULT.json FOLDER";
    }

    @Override
    public Report run(List<String> options, PrintStream progress) {
        if (options.size() != 2) {
            throw new WrongUsage("charts needs the file that peers --json has written, and a folder");
        }
        Path folder = Path.of(options.get(1));
        List<Row> rows = new ArrayList<>();
        for (Scenario scenario : read(Path.of(options.get(0)))) {
            Path file = folder.resolve("peers-" + scenario.id() + ".svg");
            draw(scenario, file);
            rows.add(new Row(
                    Map.of("file", file.toString(), "shows", scenario.heading()), Map.of("file", file.toString())));
        }
        return new Report(name(), Map.of(), List.of(Table.of(rows)), List.of(), !rows.isEmpty());
    }

    private static List<Scenario> read(Path file) {
        Map<String, Scenario> scenarios = new LinkedHashMap<>();
        for (JsonNode row : JsonMapper.shared().readTree(file.toFile()).path("rows")) {
            row.properties().stream()
                    .filter(field -> field.getValue().has("median"))
                    .findFirst()
                    .ifPresent(main -> scenarios
                            .computeIfAbsent(
                                    row.path("scenario").asString(),
                                    id -> new Scenario(id, main.getKey(), new LinkedHashMap<>()))
                            .peers()
                            .computeIfAbsent(row.path("peer").asString(), peer -> new LinkedHashMap<>())
                            .put(
                                    row.path("case").asString(),
                                    main.getValue().path("median").asDouble()));
        }
        return List.copyOf(scenarios.values());
    }

    private static void draw(Scenario scenario, Path file) {
        DefaultCategoryDataset bars = new DefaultCategoryDataset();
        scenario.peers()
                .forEach((peer, figures) -> figures.forEach((kase, figure) -> bars.addValue(figure, peer, kase)));
        JFreeChart chart = ChartFactory.createBarChart(null, null, scenario.heading(), bars);
        double least = figures(scenario).min().orElse(1);
        double most = figures(scenario).max().orElse(1);
        if (most > LOGARITHMIC_FROM * least) {
            LogAxis axis = new LogAxis(scenario.heading());
            axis.setTickUnit(new NumberTickUnit(1));
            axis.setNumberFormatOverride(NumberFormat.getIntegerInstance(Locale.ROOT));
            axis.setRange(Math.pow(10, Math.floor(Math.log10(least))), Math.pow(10, Math.ceil(Math.log10(most))));
            chart.getCategoryPlot().setRangeAxis(axis);
        }
        BarRenderer renderer = (BarRenderer) chart.getCategoryPlot().getRenderer();
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        chart.getCategoryPlot().setBackgroundPaint(Color.WHITE);
        chart.getCategoryPlot().setRangeGridlinePaint(Color.LIGHT_GRAY);
        SVGGraphics2D graphics = new SVGGraphics2D(WIDTH, HEIGHT);
        chart.draw(graphics, new Rectangle(WIDTH, HEIGHT));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, graphics.getSVGElement());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static DoubleStream figures(Scenario scenario) {
        return scenario.peers().values().stream()
                .flatMap(figures -> figures.values().stream())
                .mapToDouble(Double::doubleValue)
                .filter(figure -> figure > 0);
    }
}
