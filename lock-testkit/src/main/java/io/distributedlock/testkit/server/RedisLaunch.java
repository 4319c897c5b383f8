package io.distributedlock.testkit.server;

import io.distributedlock.testkit.process.Polling;
import io.distributedlock.testkit.resp.RespClient;
import io.distributedlock.testkit.resp.RespError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How one server is started; used again for each restart.
 *
 * @param settings lines of a configuration file that the server may rewrite, so they are written at the first start
 *     only; none for no file
 */
record RedisLaunch(RedisBinary binary, int port, Path folder, List<String> settings, List<String> arguments) {
    private static final int LOG_TAIL = 1_500;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);
    private static final Pattern PROCESS_ID = Pattern.compile("process_id:(\\d+)");

    /** Thrown if another process listens on the port. */
    static final class PortTaken extends Exception {
        private static final long serialVersionUID = 1L;

        PortTaken(String message) {
            super(message);
        }
    }

    /** Starts the process; returns when it answers, and if {@code loaded} only when it has its data set in memory. */
    Process start(boolean loaded) throws PortTaken {
        Process process = spawn();
        try {
            Polling.until(LIMIT, "the server on port " + port + " to answer", () -> {
                return !process.isAlive() || answers(process.pid(), loaded);
            });
        } catch (IllegalStateException e) {
            process.destroyForcibly();
            throw new IllegalStateException(
                    e.getMessage() + "; a command line in -D" + RedisBinary.PROPERTY
                            + " has to become the server, not to start another process. Its log ends with: "
                            + logTail(),
                    e);
        }
        if (!process.isAlive()) {
            throw exited(process);
        }
        return process;
    }

    RespClient connect(Duration timeout) {
        RespClient client = RespClient.connect(port, timeout);
        int password = arguments.indexOf("--requirepass") + 1;
        if (password > 0) {
            client.authenticate(arguments.get(password));
        }
        return client;
    }

    private Process spawn() {
        ProcessBuilder builder = new ProcessBuilder(commandLine());
        builder.directory(folder.toFile()).redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        try {
            Files.writeString(log(), "");
            if (!settings.isEmpty() && Files.notExists(configuration())) {
                Files.write(configuration(), settings);
            }
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("could not start " + String.join(" ", binary.commandLine()), e);
        }
    }

    private List<String> commandLine() {
        List<String> words = new ArrayList<>(binary.commandLine());
        if (!settings.isEmpty()) {
            words.add(configuration().toString());
        }
        words.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1", "--dir", folder.toString()));
        words.addAll(List.of("--save", "", "--appendonly", "no"));
        if (binary.majorVersion() >= 7) {
            words.addAll(List.of("--enable-debug-command", "yes", "--enable-protected-configs", "yes"));
        }
        words.addAll(arguments);
        return words;
    }

    private boolean answers(long pid, boolean loaded) {
        try (RespClient client = connect(PROBE_TIMEOUT)) {
            return belongsTo(pid, client) && (!loaded || "PONG".equals(client.command("PING")));
        } catch (UncheckedIOException | RespError notYet) {
            return false;
        }
    }

    /** Whether the answering server is ours; one that keeps its process id from us is taken for ours. */
    private static boolean belongsTo(long pid, RespClient client) {
        try {
            Matcher id = PROCESS_ID.matcher(String.valueOf(client.command("INFO", "server")));
            return id.find() && Long.parseLong(id.group(1)) == pid;
        } catch (RespError denied) {
            return true;
        }
    }

    private IllegalStateException exited(Process process) throws PortTaken {
        String log = logTail();
        // "Address already in use" or, with another C library, "Address in use".
        if (log.contains("in use")) {
            throw new PortTaken("port " + port + " is taken by another process");
        }
        return new IllegalStateException("the server for port " + port + " exited with code " + process.exitValue()
                + " instead of starting; its log ends with: " + log);
    }

    private Path configuration() {
        return folder.resolve("server.conf");
    }

    private Path log() {
        return folder.resolve("server.log");
    }

    String logTail() {
        try {
            String log = Files.readString(log(), StandardCharsets.ISO_8859_1).strip();
            return log.substring(Math.max(0, log.length() - LOG_TAIL));
        } catch (IOException e) {
            return "(not readable: " + e.getMessage() + ")";
        }
    }
}
