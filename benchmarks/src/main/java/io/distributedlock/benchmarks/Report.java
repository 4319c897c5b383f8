package io.distributedlock.benchmarks;

import java.util.List;
import java.util.Map;

/**
 * What a program found.
 *
 * @param setup what the figures depend on: versions, settings
 * @param rows what was found, in the order to print it; all with the same headings
 * @param notes sentences below the table
 * @param kept whether everything that this project promises was seen
 */
public record Report(String program, Map<String, String> setup, List<Row> rows, List<String> notes, boolean kept) {

    /**
     * One line of the table.
     *
     * @param cells the text under each heading
     * @param figures the same for machines: durations in milliseconds
     */
    public record Row(Map<String, String> cells, Map<String, Object> figures) {}
}
