package com.example.redis;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The redis-server that the embedded-redis library brings along for one platform. */
record RedisBinary(URL resource) {

    private static final String VERSION = "7.0.15";

    static RedisBinary ofThisMachine() {
        return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    /** @throws EmbeddedRedisException if the library has none for this platform */
    static RedisBinary of(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT);
        String family = os.startsWith("linux") ? "linux" : os.startsWith("mac") ? "darwin" : os;
        String cpu = switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            default -> osArch;
        };
        URL resource = RedisBinary.class.getResource("/redis-server-" + VERSION + "-" + family + "-" + cpu);
        if (resource == null) {
            throw new EmbeddedRedisException(
                    "it brings servers for Linux and macOS on x86-64 and arm64, none for " + osName + " on " + osArch);
        }
        return new RedisBinary(resource);
    }

    void unpackTo(Path file) throws IOException {
        try (InputStream in = resource.openStream()) {
            Files.copy(in, file);
        }
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("could not make " + file + " executable");
        }
    }
}
