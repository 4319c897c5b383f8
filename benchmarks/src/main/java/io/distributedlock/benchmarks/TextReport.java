package io.distributedlock.benchmarks;

import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.Report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A report for people: Markdown tables that are aligned, so that they read well without being rendered, too. */
final class TextReport {

    private TextReport() {}

    static String of(Report report) {
        String setup = report.setup().entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
        String tables = report.tables().stream().map(TextReport::of).collect(Collectors.joining("\n"));
        return report.program() + ": " + setup + "\n\n" + tables + lines(report.notes()) + "\n";
    }

    private static String of(Table table) {
        String title = table.title().isEmpty() ? "" : "## " + table.title() + "\n\n";
        return title
                + aligned(table.rows())
                + lines(table.notes())
                + (table.notes().isEmpty() ? "" : "\n");
    }

    private static String lines(List<String> notes) {
        return notes.stream().map(note -> "\n" + note).collect(Collectors.joining());
    }

    private static String aligned(List<Row> rows) {
        List<String> headings = List.copyOf(rows.get(0).cells().keySet());
        List<List<String>> lines = new ArrayList<>();
        lines.add(headings);
        rows.forEach(row -> lines.add(headings.stream().map(row.cells()::get).toList()));
        List<Integer> widths = IntStream.range(0, headings.size())
                .map(column -> lines.stream()
                        .mapToInt(line -> line.get(column).length())
                        .max()
                        .orElse(0))
                .boxed()
                .toList();
        lines.add(1, widths.stream().map("-"::repeat).toList());
        return lines.stream().map(line -> line(line, widths)).collect(Collectors.joining());
    }

    private static String line(List<String> cells, List<Integer> widths) {
        return IntStream.range(0, cells.size())
                .mapToObj(column -> cells.get(column)
                        + " ".repeat(widths.get(column) - cells.get(column).length()))
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
