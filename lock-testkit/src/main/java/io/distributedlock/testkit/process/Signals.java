package io.distributedlock.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Stops and continues processes by POSIX signals (Linux and macOS). */
public final class Signals {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private Signals() {}

    /** Sends SIGSTOP and returns when the process has really stopped. */
    public static void stop(long pid) {
        run("kill", "-STOP", Long.toString(pid));
        Polling.until(LIMIT, "process " + pid + " to stop", () -> isStopped(pid));
    }

    /** Sends SIGCONT and returns when the process is no longer stopped. */
    public static void resume(long pid) {
        run("kill", "-CONT", Long.toString(pid));
        Polling.until(LIMIT, "process " + pid + " to continue", () -> !isStopped(pid));
    }

    public static boolean isStopped(long pid) {
        return state(pid).startsWith("T");
    }

    private static String state(long pid) {
        Path stat = Path.of("/proc/" + pid + "/stat");
        if (!Files.isReadable(stat)) {
            return run("ps", "-o", "state=", "-p", Long.toString(pid)).strip();
        }
        try {
            String line = Files.readString(stat, StandardCharsets.ISO_8859_1);
            return line.substring(line.lastIndexOf(')') + 1).strip();
        } catch (IOException e) {
            return "";
        }
    }

    private static String run(String... commandLine) {
        String words = String.join(" ", commandLine);
        try {
            Process process =
                    new ProcessBuilder(commandLine).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException("'" + words + "' failed: " + output.strip());
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException("could not run '" + words + "'", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running '" + words + "'", e);
        }
    }
}
