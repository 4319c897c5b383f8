package io.distributedlock.testkit.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Reads what processes have recorded with {@link EventFile}. */
public final class HistoryFiles {
    private HistoryFiles() {}

    /** The events of all files in the order of time; a line cut off at a file's end is left out. */
    public static List<Event> merge(Collection<Path> files) {
        List<Event> events = new ArrayList<>();
        files.forEach(file -> events.addAll(read(file)));
        events.sort(Comparator.comparingLong(Event::nanos));
        return events;
    }

    private static List<Event> read(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.UTF_8);
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(EventLine::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("could not read the event file " + file, e);
        }
    }
}
