package com.example.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/**
 * A shell between this JVM and a redis-server: it stops the server and deletes its folder when the JVM closes the
 * shell's input or ends, be it by SIGKILL.
 */
final class RedisKeeper implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int LOOK_MILLIS = 10;

    private final Process shell;
    private final Path pidFile;

    private RedisKeeper(Process shell, Path pidFile) {
        this.shell = shell;
        this.pidFile = pidFile;
    }

    /** @throws IOException if the server does not listen within 10 s; the message tells what it says itself */
    static RedisKeeper start(RedisBinary binary, int port) throws IOException {
        RedisKeeper keeper = startShell(binary, port);
        if (!keeper.awaitServer()) {
            keeper.close();
            throw new IOException("no redis-server on port " + port + ", " + keeper.output());
        }
        return keeper;
    }

    private static RedisKeeper startShell(RedisBinary binary, int port) throws IOException {
        Path folder = Files.createTempDirectory("sample-redis-");
        try {
            binary.unpackTo(folder.resolve("redis-server"));
            Process shell = new ProcessBuilder(
                            "/bin/sh", "-c", script(), "keep-redis", folder.toString(), Integer.toString(port))
                    .redirectErrorStream(true)
                    .start();
            return new RedisKeeper(shell, folder.resolve("pid"));
        } catch (IOException e) {
            FileSystemUtils.deleteRecursively(folder);
            throw e;
        }
    }

    private static String script() throws IOException {
        try (InputStream in = RedisKeeper.class.getResourceAsStream("keep-redis.sh")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The server writes its process id as soon as it listens. */
    private boolean awaitServer() {
        long begin = System.nanoTime();
        while (pidFile.toFile().length() == 0) {
            if (System.nanoTime() - begin > LIMIT.toNanos() || ends(LOOK_MILLIS)) {
                return false;
            }
        }
        return true;
    }

    private boolean ends(long millis) {
        try {
            return shell.waitFor(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private String output() throws IOException {
        return new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** Returns when the server is gone, at the latest after 10 s; then the shell does the rest alone. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
        } catch (IOException alreadyClosed) {
            // The shell has ended before, which is what is wanted.
        }
        ends(LIMIT.toMillis());
    }
}
