package io.distributedlock.campaign.mutant;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tests notice the mistakes that matter: each one is made in a copy of its source file, and the tests that are named
 * beside it run with that copy in a process of their own.
 */
class PlantedMistakesTest {

    private static final Path CORE = Path.of("..", "lock-core").toAbsolutePath().normalize();
    private static final Path SOURCES = CORE.resolve(Path.of("src", "main"));
    private static final int TIME_LIMIT_SECONDS = 300;

    @TempDir
    Path planted;

    static List<PlantedMistake> mistakes() {
        return PlantedMistake.all();
    }

    /** So that a mistake whose code has changed is noticed at once, not only where the mistakes are planted. */
    @ParameterizedTest
    @MethodSource("mistakes")
    void theCodeThatItChangesAndTheTestsExist(PlantedMistake mistake) throws IOException {
        assertThat(mistake.plantedIn(text(mistake))).isNotEqualTo(text(mistake));
        assertThat(mistake.tests()).isNotEmpty().allSatisfy(test -> {
            String method = test.substring(test.indexOf('#') + 1);
            assertThat(Files.readString(source(test))).contains(test.contains("#") ? "void " + method + "(" : method);
        });
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    @Tag("long")
    void aMistakeIsNoticed(PlantedMistake mistake) throws Exception {
        plant(mistake);
        assertThat(run(mistake.tests())).as("tests that fail").isEqualTo(NamedTests.SOME_FAILED);
    }

    @Test
    @Tag("long")
    void theSameTestsPassWithoutAMistake() throws Exception {
        List<String> tests = mistakes().stream()
                .flatMap(mistake -> mistake.tests().stream())
                .distinct()
                .toList();
        assertThat(run(tests)).as("tests that fail").isEqualTo(NamedTests.ALL_PASSED);
    }

    private static String text(PlantedMistake mistake) throws IOException {
        return Files.readString(SOURCES.resolve(mistake.file()));
    }

    private void plant(PlantedMistake mistake) throws IOException {
        boolean java = mistake.file().startsWith("java/");
        Path place = (java ? planted.resolve("sources") : planted)
                .resolve(mistake.file().substring(mistake.file().indexOf('/') + 1));
        Files.createDirectories(place.getParent());
        Files.writeString(place, mistake.plantedIn(text(mistake)));
        if (java) {
            int result = ToolProvider.getSystemJavaCompiler()
                    .run(
                            null,
                            null,
                            null,
                            "-proc:none",
                            "-nowarn",
                            "-parameters",
                            "-classpath",
                            classPath(),
                            "-d",
                            planted.toString(),
                            place.toString());
            assertThat(result).as("the compiler's result with the mistake").isZero();
        }
    }

    private int run(List<String> tests) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+EnableDynamicAgentLoading",
                "-classpath",
                planted + File.pathSeparator + classPath(),
                NamedTests.class.getName()));
        for (String test : tests) {
            command.add(className(test) + (test.contains("#") ? test.substring(test.indexOf('#')) : ""));
        }
        Path log = planted.resolve("log.txt");
        Process process = new ProcessBuilder(command)
                .directory(CORE.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(TIME_LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("the tests end within " + TIME_LIMIT_SECONDS + " s")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        System.out.println(Files.readString(log, UTF_8)
                .lines()
                .filter(line -> line.startsWith(NamedTests.PREFIX))
                .toList());
        return process.exitValue();
    }

    private static String classPath() {
        String own = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return own + File.pathSeparator + CORE.resolve(Path.of("target", "test-classes"));
    }

    private static String className(String test) throws IOException {
        String file = source(test).toString();
        return file.substring(file.indexOf("io" + File.separator + "distributedlock"), file.length() - ".java".length())
                .replace(File.separatorChar, '.');
    }

    private static Path source(String test) throws IOException {
        String name = test.replaceFirst("#.*", "") + ".java";
        for (Path tests : List.of(CORE.resolve(Path.of("src", "test")), Path.of("src", "test"))) {
            try (Stream<Path> files = Files.walk(tests)) {
                var found = files.filter(file -> file.endsWith(name)).findFirst();
                if (found.isPresent()) {
                    return found.get();
                }
            }
        }
        throw new IllegalStateException("There is no test " + name + ": follow the code in planted-mistakes.txt.");
    }
}
