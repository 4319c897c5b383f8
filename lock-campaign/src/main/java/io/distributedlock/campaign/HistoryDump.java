package io.distributedlock.campaign;

import io.distributedlock.testkit.check.CampaignReport;
import io.distributedlock.testkit.history.EventFile;
import io.distributedlock.testkit.history.History;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Writes a history down for a look at it: events, samples, faults and the report, each in a file. */
public final class HistoryDump {

    private HistoryDump() {}

    public static void write(Path folder, History history, CampaignReport report) {
        try (EventFile events = EventFile.append(folder.resolve("all.events"))) {
            history.events().forEach(events::record);
            write(folder.resolve("samples"), history.samples().stream());
            write(folder.resolve("faults"), history.faults().stream());
            Files.writeString(folder.resolve("report"), report.toString());
        } catch (IOException e) {
            throw new UncheckedIOException("could not write the history to " + folder, e);
        }
    }

    private static void write(Path file, Stream<?> lines) throws IOException {
        List<String> text = lines.map(String::valueOf).toList();
        Files.write(file, text);
    }
}
