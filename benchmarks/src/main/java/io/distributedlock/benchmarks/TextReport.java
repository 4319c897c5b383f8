package io.distributedlock.benchmarks;

import io.distributedlock.benchmarks.Report.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A report for people: a Markdown table that is aligned, so that it reads well without being rendered, too. */
final class TextReport {

    private TextReport() {}

    static String of(Report report) {
        String setup = report.setup().entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
        String notes = report.notes().stream().map(note -> "\n" + note).collect(Collectors.joining());
        return report.program() + ": " + setup + "\n\n" + table(report.rows()) + notes + "\n";
    }

    private static String table(List<Row> rows) {
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
