package io.distributedlock.benchmarks.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the page shows as code is code of this package, so that it is compiled against the libraries that it is about. */
class MigrationPageTests {

    private static final Path PAGE = Path.of("..", "docs", "migration.md");
    private static final Path SNIPPETS =
            Path.of("src", "test", "java", "io", "distributedlock", "benchmarks", "migration");
    private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    static Stream<String> codeOfThePage() throws IOException {
        return CODE.matcher(Files.readString(PAGE)).results().map(block -> block.group(1));
    }

    @ParameterizedTest
    @MethodSource("codeOfThePage")
    void codeOfThePageIsCompiled(String code) throws IOException {
        try (Stream<Path> files = Files.list(SNIPPETS)) {
            String sources = files.map(MigrationPageTests::read).collect(Collectors.joining("\n"));
            assertThat(withoutIndentation(sources)).contains(withoutIndentation(code));
        }
    }

    @Test
    void eachLibraryHasABeforeAndAnAfter() throws IOException {
        String page = Files.readString(PAGE);
        List<String> libraries = Stream.of(page.split("\n## "))
                .filter(section -> section.contains("```java"))
                .map(section -> section.lines().findFirst().orElse(""))
                .toList();
        assertThat(libraries).containsExactly("Redisson", "lock4j", "ShedLock", "Spring Integration");
        assertThat(codeOfThePage()).hasSize(2 * libraries.size());
    }

    private static String withoutIndentation(String code) {
        return code.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
