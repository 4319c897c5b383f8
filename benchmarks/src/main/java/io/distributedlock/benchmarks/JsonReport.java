package io.distributedlock.benchmarks;

import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.Report.Table;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A report for machines: an object with the program, its setup, one object for each row of each table, and the notes.
 */
final class JsonReport {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private JsonReport() {}

    static void write(Report report, Path file) {
        Stream<Row> rows = report.tables().stream().flatMap(table -> table.rows().stream());
        List<String> notes = Stream.concat(report.tables().stream().map(Table::notes), Stream.of(report.notes()))
                .flatMap(List::stream)
                .toList();
        Map<String, Object> whole = new LinkedHashMap<>();
        whole.put("program", report.program());
        whole.put("setup", report.setup());
        whole.put("rows", rows.map(Row::figures).toList());
        whole.put("notes", notes);
        whole.put("kept", report.kept());
        JSON.writeValue(file, whole);
    }
}
