package io.distributedlock.benchmarks;

import io.distributedlock.benchmarks.Report.Row;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A report for machines: an object with the program, its setup, one object for each row, and the notes. */
final class JsonReport {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private JsonReport() {}

    static void write(Report report, Path file) {
        Map<String, Object> whole = new LinkedHashMap<>();
        whole.put("program", report.program());
        whole.put("setup", report.setup());
        whole.put("rows", report.rows().stream().map(Row::figures).toList());
        whole.put("notes", report.notes());
        whole.put("kept", report.kept());
        JSON.writeValue(file, whole);
    }
}
