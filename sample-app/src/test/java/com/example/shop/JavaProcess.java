package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program on a JVM of any version, whose output goes to a file. It is ended at {@link #close()}. */
record JavaProcess(Process process, Path log) implements AutoCloseable {

    static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    /** @param words what follows the class path: options, the main class and its arguments */
    static JavaProcess start(Path javaHome, String classPath, Path log, List<String> words) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve("bin").resolve("java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", classPath));
        command.addAll(words);
        return new JavaProcess(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start(),
                log);
    }

    void awaitSuccess() throws InterruptedException {
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("%s", text()).isZero();
    }

    Shop awaitShop() {
        await().atMost(LIMIT)
                .failFast(() -> assertThat(process.isAlive()).as("%s", text()).isTrue())
                .until(() -> PORT.matcher(text()).find());
        Matcher port = PORT.matcher(text());
        assertThat(port.find()).isTrue();
        return Shop.openAt(Integer.parseInt(port.group(1)));
    }

    String text() {
        try {
            return Files.readString(log);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
    }
}
