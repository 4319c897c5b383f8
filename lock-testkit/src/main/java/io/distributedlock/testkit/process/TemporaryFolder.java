package io.distributedlock.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder of its own below the system's temporary folder, deleted with all it holds at close or at JVM exit. */
public final class TemporaryFolder implements AutoCloseable {
    private final Path path;
    private final Runnable cleanUp = this::delete;

    private TemporaryFolder(Path path) {
        this.path = path;
        ExitCleanup.add(cleanUp);
    }

    public static TemporaryFolder create(String purpose) {
        try {
            return new TemporaryFolder(Files.createTempDirectory("distributedlock-" + purpose + "-"));
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary folder for " + purpose, e);
        }
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        ExitCleanup.remove(cleanUp);
        delete();
    }

    private void delete() {
        try (Stream<Path> found = Files.walk(path)) {
            List<Path> deepestFirst = found.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
        } catch (NoSuchFileException ignored) {
            // Already gone, which is what was wanted.
        } catch (IOException e) {
            throw new UncheckedIOException("could not delete the temporary folder " + path, e);
        }
    }
}
