package io.distributedlock.testkit.server;

import io.distributedlock.testkit.process.TemporaryFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** A redis-server that comes with a library, unpacked once per JVM: 7.0 with every build, 6.2 with profile servers. */
final class EmbeddedBinary {
    private static final ConcurrentMap<String, Path> UNPACKED = new ConcurrentHashMap<>();

    static final String NEWEST = "7.0";

    /** What the names of the files begin with, as the libraries call them. */
    private static final Map<String, List<String>> NAMES = Map.of(
            NEWEST, List.of("redis-server-7.0.15-"), "6.2", List.of("redis-server-6.2.6-v5-", "redis-server-6.2.7-"));

    private EmbeddedBinary() {}

    static boolean has(String version) {
        return NAMES.containsKey(version);
    }

    static Path file(String version) {
        return file(version, System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    /**
     * The server of a version for a platform.
     *
     * @throws IllegalStateException if the libraries have none for it
     */
    static Path file(String version, String os, String cpu) {
        String name = NAMES.getOrDefault(version, List.of()).stream()
                .map(start -> start + platform(os, cpu))
                .filter(file -> EmbeddedBinary.class.getClassLoader().getResource(file) != null)
                .findFirst()
                .orElse("redis-server-" + version);
        return UNPACKED.computeIfAbsent(name, resource -> {
            try (InputStream in = EmbeddedBinary.class.getClassLoader().getResourceAsStream(resource)) {
                if (in == null) {
                    throw new IllegalStateException(
                            "no Redis server " + version + " is bundled for " + os + " on " + cpu + "; set -D"
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

    private static String platform(String os, String cpu) {
        String lower = os.toLowerCase(Locale.ROOT);
        String family = lower.contains("linux") ? "linux" : lower.contains("mac") ? "darwin" : lower;
        return family + "-"
                + switch (cpu) {
                    case "x86_64" -> "amd64";
                    case "aarch64" -> "arm64";
                    case "x86", "i386" -> "386";
                    default -> cpu;
                };
    }
}
