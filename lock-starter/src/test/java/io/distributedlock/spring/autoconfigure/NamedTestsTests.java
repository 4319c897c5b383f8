package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pages say which test holds what they say; a test that was renamed must not be named there any more. */
class NamedTestsTests {

    private static final Path PROJECT = Path.of("..");
    private static final Pattern TEST = Pattern.compile("`(\\w+Tests?)`");

    @Test
    void everyTestThatAPageNamesIsThere() throws IOException {
        Set<String> named = new TreeSet<>();
        try (Stream<Path> pages = Files.walk(PROJECT.resolve("docs"))) {
            pages.filter(page -> page.toString().endsWith(".md"))
                    .forEach(page -> TEST.matcher(read(page)).results().forEach(test -> named.add(test.group(1))));
        }
        assertThat(named).contains("LockedFutureTests");
        assertThat(tests()).containsAll(named);
    }

    private static Set<String> tests() throws IOException {
        try (Stream<Path> modules = Files.list(PROJECT)) {
            return modules.map(module -> module.resolve("src").resolve("test"))
                    .filter(Files::isDirectory)
                    .flatMap(NamedTestsTests::files)
                    .map(file -> file.getFileName().toString().replaceFirst("\\..*", ""))
                    .collect(Collectors.toSet());
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
