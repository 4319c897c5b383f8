package io.distributedlock.testkit.server;

import io.distributedlock.testkit.process.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The redis-server that comes with the embedded-redis library, unpacked once per JVM. */
final class EmbeddedBinary {
    private static final ConcurrentMap<String, Path> UNPACKED = new ConcurrentHashMap<>();

    private EmbeddedBinary() {}

    static Path file() {
        return file(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    /**
     * The server for a platform.
     *
     * @throws IllegalStateException if the library has none for it
     */
    static Path file(String os, String cpu) {
        return UNPACKED.computeIfAbsent(resource(os, cpu), resource -> {
            try (InputStream in = EmbeddedBinary.class.getClassLoader().getResourceAsStream(resource)) {
                if (in == null) {
                    throw new IllegalStateException("no Redis server is bundled for " + os + " on " + cpu + "; set -D"
                            + RedisBinary.PROPERTY + " to the command line of an installed redis-server");
                }
                return unpack(in, resource);
            } catch (IOException e) {
                throw new UncheckedIOException("could not unpack " + resource, e);
            }
        });
    }

    private static Path unpack(InputStream in, String name) throws IOException {
        Path file = TemporaryFolder.create("server").path().resolve(name);
        Files.copy(in, file);
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("could not make " + file + " executable");
        }
        return file;
    }

    private static String resource(String os, String cpu) {
        String lower = os.toLowerCase(Locale.ROOT);
        String family = lower.contains("linux") ? "linux" : lower.contains("mac") ? "darwin" : lower;
        return "redis-server-7.0.15-" + family + "-"
                + switch (cpu) {
                    case "x86_64" -> "amd64";
                    case "aarch64" -> "arm64";
                    case "x86", "i386" -> "386";
                    default -> cpu;
                };
    }
}
