package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pages say which test, or which method of it, holds what they say; one that was renamed must not be named there any more. */
class NamedTestsTests {

    private static final Path PROJECT = Path.of("..");
    private static final Pattern TEST = Pattern.compile("`(\\w+Tests?)(\\.\\w+)?`");

    private static final Pattern TEST_FILE = Pattern.compile("\\w+\\.(java|kt)");

    @Test
    void everyTestThatAPageNamesIsThere() throws IOException {
        Map<String, String> tests = tests();
        List<MatchResult> named = named();
        assertThat(named).extracting(MatchResult::group).contains("`LockedFutureTests`");
        assertThat(named).allSatisfy(test -> {
            assertThat(tests).containsKey(test.group(1));
            if (test.group(2) != null) {
                assertThat(tests.get(test.group(1)))
                        .contains("void " + test.group(2).substring(1) + "(");
            }
        });
    }

    private static List<MatchResult> named() throws IOException {
        try (Stream<Path> pages = Files.walk(PROJECT.resolve("docs"))) {
            return pages.filter(page -> page.toString().endsWith(".md"))
                    .flatMap(page -> TEST.matcher(read(page)).results())
                    .toList();
        }
    }

    private static Map<String, String> tests() throws IOException {
        try (Stream<Path> modules = Files.list(PROJECT)) {
            return modules.map(module -> module.resolve("src").resolve("test"))
                    .filter(Files::isDirectory)
                    .flatMap(NamedTestsTests::files)
                    .filter(file ->
                            TEST_FILE.matcher(file.getFileName().toString()).matches())
                    .collect(Collectors.toMap(
                            file -> file.getFileName().toString().replaceFirst("\\..*", ""),
                            NamedTestsTests::read,
                            String::concat,
                            TreeMap::new));
        }
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
