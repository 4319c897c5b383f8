package com.example.shop.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The redis-server that the embedded-redis library brings along for one platform. */
record RedisBinary(String platform) {

    private static final String VERSION = "7.0.15";

    static RedisBinary ofThisMachine() {
        return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
    }

    static RedisBinary of(String osName, String osArch) {
        String os = osName.toLowerCase(Locale.ROOT);
        String family = os.startsWith("linux") ? "linux" : os.startsWith("mac") ? "darwin" : os;
        String cpu =
                switch (osArch.toLowerCase(Locale.ROOT)) {
                    case "amd64", "x86_64" -> "amd64";
                    case "aarch64", "arm64" -> "arm64";
                    default -> osArch;
                };
        return new RedisBinary(family + "-" + cpu);
    }

    /** @throws EmbeddedRedisException if the library has none for the platform, or it can't be written */
    Path unpackInto(Path folder) {
        Path file = folder.resolve("redis-server");
        String resource = "/redis-server-" + VERSION + "-" + platform;
        try (InputStream in = RedisBinary.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new EmbeddedRedisException(
                        "there is none for " + platform + ", only for Linux and macOS on x86-64 and arm64", null);
            }
            Files.copy(in, file);
            if (!file.toFile().setExecutable(true)) {
                throw new IOException("can't be made executable");
            }
            return file;
        } catch (IOException e) {
            throw new EmbeddedRedisException("it could not be unpacked to " + file + ": " + e.getMessage(), e);
        }
    }
}
