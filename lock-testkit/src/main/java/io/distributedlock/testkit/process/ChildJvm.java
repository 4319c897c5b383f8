package io.distributedlock.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A second JVM with this one's class path, to be talked to by lines, paused and killed.
 *
 * <p>Its standard error goes to this JVM's. Its standard output is read line by line into a queue; the child is only
 * slowed down once 100,000 lines are unread. It is killed at {@link #close()} and when this JVM exits.
 */
public final class ChildJvm implements AutoCloseable {
    private static final int MAX_UNREAD = 100_000;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final String name;
    private final Process process;
    private final Writer input;
    private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>(MAX_UNREAD);
    private final Runnable cleanUp = this::kill;

    private ChildJvm(Class<?> mainClass, Process process) {
        this.name = mainClass.getSimpleName() + " (process " + process.pid() + ")";
        this.process = process;
        this.input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        ExitCleanup.add(cleanUp);
        Thread reader = new Thread(this::readLines, "testkit-child-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts {@code mainClass} with these arguments in a JVM of the same version with a heap of at most 256 MiB. */
    public static ChildJvm start(Class<?> mainClass, String... arguments) {
        return start(List.of(), mainClass, arguments);
    }

    /** The same with further options for the JVM, for example {@code -Xmx1g}. */
    public static ChildJvm start(List<String> options, Class<?> mainClass, String... arguments) {
        return start(classPath(), options, mainClass, arguments);
    }

    /** The same with a class path of its own, in place of this JVM's. */
    public static ChildJvm start(String classPath, List<String> options, Class<?> mainClass, String... arguments) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-Xmx256m", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8"));
        words.addAll(options);
        words.addAll(List.of("-cp", classPath, mainClass.getName()));
        words.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT);
        List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS").forEach(builder.environment()::remove);
        try {
            return new ChildJvm(mainClass, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException("could not start a JVM for " + mainClass.getName(), e);
        }
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** Writes one line to the child's standard input. */
    public void send(String line) {
        try {
            input.write(line + "\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("could not send '" + line + "' to " + name, e);
        }
    }

    /**
     * The next line of the child's standard output.
     *
     * @throws IllegalStateException if none comes within the limit, or the output has ended
     */
    public String nextLine(Duration limit) {
        return awaitLine(line -> true, limit);
    }

    /** Like {@link #awaitLine(Predicate, Duration)}, with a limit of 2 minutes, which only a failure reaches. */
    public String awaitLine(Predicate<String> wanted) {
        return awaitLine(wanted, LIMIT);
    }

    /**
     * The next matching line of the child's standard output; the lines before it are thrown away.
     *
     * @throws IllegalStateException if none comes within the limit, or the output has ended
     */
    public String awaitLine(Predicate<String> wanted, Duration limit) {
        long begin = System.nanoTime();
        while (true) {
            String line = poll(limit.toNanos() - (System.nanoTime() - begin), limit);
            if (wanted.test(line)) {
                return line;
            }
        }
    }

    /** Stops the process with SIGSTOP and returns when it has stopped. */
    public void pause() {
        Signals.stop(pid());
    }

    /** Lets a paused process go on with SIGCONT. */
    public void resume() {
        Signals.resume(pid());
    }

    /** Ends the process with SIGKILL, paused or not, and returns when it is gone. */
    public void kill() {
        Processes.kill(process);
    }

    /** Waits up to 2 minutes for the end of the process; gives its exit code: 0 as a rule, 137 after SIGKILL. */
    public int exitCode() {
        Polling.until(LIMIT, name + " to exit", () -> !process.isAlive());
        return process.exitValue();
    }

    @Override
    public void close() {
        ExitCleanup.remove(cleanUp);
        kill();
    }

    private String poll(long nanos, Duration limit) {
        try {
            Optional<String> line = lines.poll(nanos, TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new IllegalStateException("no such line from " + name + " within " + limit.toMillis() + " ms");
            }
            return line.orElseThrow(() -> {
                lines.add(line);
                return new IllegalStateException(name + " ended its output");
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a line from " + name, e);
        }
    }

    private void readLines() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.put(Optional.of(line));
            }
        } catch (IOException e) {
            // A killed process ends its output in the middle.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lines.offer(Optional.empty());
        }
    }

    private static String classPath() {
        String surefire = System.getProperty("surefire.test.class.path", "");
        String plain = System.getProperty("java.class.path", "");
        return surefire.isEmpty() ? plain : surefire;
    }
}
