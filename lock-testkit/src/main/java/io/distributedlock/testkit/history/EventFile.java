package io.distributedlock.testkit.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The events of one process in a file, a line for each, for any thread.
 *
 * <p>An event is in the file when {@link #record} returns, so a SIGKILL of the process loses none, and cuts at most the
 * line of an event that was being recorded.
 */
public final class EventFile implements EventSink, AutoCloseable {
    private final Path path;
    private final OutputStream out;

    private EventFile(Path path, OutputStream out) {
        this.path = path;
        this.out = out;
    }

    /** Opens the file to add to it, and creates it if it does not exist. */
    public static EventFile append(Path path) {
        try {
            // Not a channel: that would be closed by the interrupt of a thread that records.
            return new EventFile(path, new FileOutputStream(path.toFile(), true));
        } catch (IOException e) {
            throw new UncheckedIOException("could not open the event file " + path, e);
        }
    }

    @Override
    public void record(Event event) {
        try {
            out.write(EventLine.format(event).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("could not write to the event file " + path, e);
        }
    }

    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException("could not close the event file " + path, e);
        }
    }
}
