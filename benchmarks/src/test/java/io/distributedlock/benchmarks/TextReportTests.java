package io.distributedlock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.benchmarks.Report.Row;
import io.distributedlock.benchmarks.Report.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextReportTests {

    private final Report report = new Report(
            "program",
            Map.of("Redis", "7"),
            List.of(
                    new Table("first", List.of(row("a", 1), row("bcd", 2)), List.of("below the first")),
                    Table.of(List.of(row("e", 3)))),
            List.of("at the end"),
            true);

    @Test
    void eachTableStandsBetweenItsTitleAndItsNotes() {
        assertThat(TextReport.of(report)).isEqualTo("""
                program: Redis 7

                ## first

                | name |
                | ---- |
                | a    |
                | bcd  |

                below the first

                | name |
                | ---- |
                | e    |

                at the end
                """);
    }

    @Test
    void machinesGetTheRowsAndTheNotesOfAllTables(@TempDir Path folder) throws Exception {
        JsonReport.write(report, folder.resolve("report.json"));

        assertThat(Files.readString(folder.resolve("report.json")).replaceAll("\\s", ""))
                .isEqualTo("{\"program\":\"program\",\"setup\":{\"Redis\":\"7\"},"
                        + "\"rows\":[{\"figure\":1},{\"figure\":2},{\"figure\":3}],"
                        + "\"notes\":[\"belowthefirst\",\"attheend\"],\"kept\":true}");
    }

    private static Row row(String name, int figure) {
        return new Row(Map.of("name", name), Map.of("figure", figure));
    }
}
