package io.distributedlock.benchmarks;

import java.util.List;
import java.util.Map;

/**
 * What a program found.
 *
 * @param setup what the figures depend on: versions, settings
 * @param tables what was found, in the order to print it
 * @param notes sentences below the last table
 * @param kept whether everything that this project promises was seen
 */
public record Report(String program, Map<String, String> setup, List<Table> tables, List<String> notes, boolean kept) {

    /**
     * One table.
     *
     * @param title printed above it; empty for none
     * @param rows at least one; all with the same headings
     * @param notes sentences below this table
     */
    public record Table(String title, List<Row> rows, List<String> notes) {

        /** A table that needs no title, because it is the only one. */
        public static Table of(List<Row> rows) {
            return new Table("", rows, List.of());
        }
    }

    /**
     * One line of a table.
     *
     * @param cells the text under each heading
     * @param figures the same for machines: durations in milliseconds
     */
    public record Row(Map<String, String> cells, Map<String, Object> figures) {}
}
