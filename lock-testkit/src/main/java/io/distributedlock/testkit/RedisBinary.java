package io.distributedlock.testkit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The command line that runs a Redis or Valkey server, with the server's major version. */
record RedisBinary(List<String> commandLine, int majorVersion) {
    static final String PROPERTY = "distributedlock.redis-server";

    private static final Pattern VERSION = Pattern.compile("v=(\\d+)\\.");
    private static final ConcurrentMap<List<String>, RedisBinary> KNOWN = new ConcurrentHashMap<>();

    /** The server of the system property if that is set, else the one that comes with the embedded-redis library. */
    static RedisBinary current() {
        String configured = System.getProperty(PROPERTY, "").strip();
        List<String> commandLine =
                configured.isEmpty() ? List.of(Embedded.FILE.toString()) : List.of(configured.split("\\s+"));
        return KNOWN.computeIfAbsent(commandLine, RedisBinary::probe);
    }

    private static RedisBinary probe(List<String> commandLine) {
        List<String> version =
                Stream.concat(commandLine.stream(), Stream.of("--version")).toList();
        try {
            Process process =
                    new ProcessBuilder(version).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher matcher = VERSION.matcher(output);
            if (!matcher.find()) {
                throw new IllegalStateException(
                        "'" + String.join(" ", commandLine) + "' is not a Redis server, it says: " + output.strip());
            }
            return new RedisBinary(commandLine, Integer.parseInt(matcher.group(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "could not run '" + String.join(" ", commandLine) + "'; set -D" + PROPERTY + " to a redis-server",
                    e);
        }
    }

    /** The library's server, unpacked once per JVM. */
    private static final class Embedded {
        static final Path FILE = unpack(resourceName());

        private static String resourceName() {
            String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
            String family = os.contains("linux") ? "linux" : os.contains("mac") ? "darwin" : os;
            String cpu = switch (System.getProperty("os.arch", "")) {
                case "amd64", "x86_64" -> "amd64";
                case "aarch64", "arm64" -> "arm64";
                case "x86", "i386" -> "386";
                default -> System.getProperty("os.arch", "");
            };
            return "redis-server-7.0.15-" + family + "-" + cpu;
        }

        private static Path unpack(String resource) {
            try (InputStream in = RedisBinary.class.getClassLoader().getResourceAsStream(resource)) {
                if (in == null) {
                    throw new IllegalStateException("no Redis server is bundled for " + System.getProperty("os.name")
                            + " on " + System.getProperty("os.arch") + " (" + resource + "); set -D" + PROPERTY
                            + " to the command line of an installed redis-server");
                }
                Path file = TemporaryFolder.create("server").path().resolve(resource);
                Files.copy(in, file);
                File executable = file.toFile();
                if (!executable.setExecutable(true)) {
                    throw new IOException("could not make " + executable + " executable");
                }
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException("could not unpack " + resource, e);
            }
        }
    }
}
