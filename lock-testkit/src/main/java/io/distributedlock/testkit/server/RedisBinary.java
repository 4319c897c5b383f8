package io.distributedlock.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
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

    /** The server of the system property, a bundled version or a command line, else the newest bundled one. */
    static RedisBinary current() {
        String configured = System.getProperty(PROPERTY, "").strip();
        String server = configured.isEmpty() ? EmbeddedBinary.NEWEST : configured;
        List<String> commandLine = EmbeddedBinary.has(server)
                ? List.of(EmbeddedBinary.file(server).toString())
                : List.of(server.split("\\s+"));
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
}
