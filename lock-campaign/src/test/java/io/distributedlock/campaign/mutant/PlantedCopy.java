package io.distributedlock.campaign.mutant;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A folder with a compiled copy of a source file, or a script, that contains a mistake; and processes that use it. */
record PlantedCopy(Path folder) {

    private static final Path CORE = Path.of("..", "lock-core").toAbsolutePath().normalize();
    private static final Path SOURCES = CORE.resolve(Path.of("src", "main"));

    /** In place of the exit code of a process that was ended at its limit. */
    static final int TOO_LATE = -1;

    /** How a process has ended: its exit code, after how long, and what it has printed. */
    record Ending(int code, Duration after, List<String> lines) {}

    static String text(PlantedMistake mistake) throws IOException {
        return Files.readString(SOURCES.resolve(mistake.file()));
    }

    void plant(PlantedMistake mistake) throws IOException {
        boolean java = mistake.file().startsWith("java/");
        Path place = (java ? folder.resolve("sources") : folder)
                .resolve(mistake.file().substring(mistake.file().indexOf('/') + 1));
        Files.createDirectories(place.getParent());
        Files.writeString(place, mistake.plantedIn(text(mistake)));
        if (java) {
            compile(place);
        }
    }

    private void compile(Path source) {
        List<String> arguments = List.of("-proc:none", "-nowarn", "-parameters", "-classpath", classPath(), "-d");
        String[] all = Stream.concat(arguments.stream(), Stream.of(folder.toString(), source.toString()))
                .toArray(String[]::new);
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, all) != 0) {
            throw new IllegalStateException(source + " does not compile with the mistake");
        }
    }

    /** Runs tests, named as {@code Class} or {@code Class#method}. */
    Ending test(List<String> tests, Duration limit, String... options) throws Exception {
        String[] named = tests.stream().map(PlantedCopy::selector).toArray(String[]::new);
        return run(NamedTests.class.getName(), limit, List.of(options), named);
    }

    Ending run(String program, Duration limit, List<String> options, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.add("-XX:+EnableDynamicAgentLoading");
        command.addAll(options);
        command.addAll(List.of("-classpath", folder + File.pathSeparator + classPath(), program));
        command.addAll(List.of(arguments));
        Path log = folder.resolve("log.txt");
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .directory(CORE.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            boolean inTime = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
            Duration after = Duration.ofNanos(System.nanoTime() - begin);
            return new Ending(inTime ? process.exitValue() : TOO_LATE, after, Files.readAllLines(log, UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }

    private static String classPath() {
        String own = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return own + File.pathSeparator + CORE.resolve(Path.of("target", "test-classes"));
    }

    private static String selector(String test) {
        String file = source(test).toString();
        String name = file.substring(
                        file.indexOf("io" + File.separator + "distributedlock"), file.length() - ".java".length())
                .replace(File.separatorChar, '.');
        return test.contains("#") ? name + test.substring(test.indexOf('#')) : name;
    }

    /** Where the test stands. */
    static Path source(String test) {
        String name = File.separator + test.replaceFirst("#.*", "") + ".java";
        return Stream.of(CORE.resolve(Path.of("src", "test")), Path.of("src", "test"))
                .flatMap(PlantedCopy::files)
                .filter(file -> file.toString().endsWith(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "There is no test " + test + ": follow the code in planted-mistakes.txt."));
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList().stream();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
