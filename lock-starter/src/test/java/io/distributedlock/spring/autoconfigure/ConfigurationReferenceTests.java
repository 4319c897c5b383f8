package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.util.ClassUtils;

/** The page of all properties is made of what the jar says about them, so that it is complete and never out of date. */
class ConfigurationReferenceTests {

    private static final Path PAGE = Path.of("..", "docs", "configuration.md");
    private static final Path GENERATED = Path.of("target", "configuration.md");
    private static final String HEAD = """
            # Configuration

            Every property, as the jar describes it to editors; all have defaults that work, and stand beside your `spring.data.redis.*`. Durations are written
            with a unit: `10s`, `500ms`, `5m`.

            | Property | Values | Default | Meaning |
            |---|---|---|---|
            """;

    @Test
    void thePageSaysWhatTheJarSays() throws IOException {
        String page = HEAD
                + new TreeMap<>(ConfigurationMetadata.ofThisLibrary())
                        .entrySet().stream()
                                .map(property -> line(property.getKey(), property.getValue()))
                                .collect(Collectors.joining());
        Files.writeString(GENERATED, page);
        assertThat(PAGE)
                .as("A page that is right is in lock-starter/target/configuration.md: copy it to docs")
                .hasContent(page);
    }

    private static String line(String name, Map<String, Object> property) {
        Object preset = property.get("defaultValue");
        return "| `%s` | %s | %s | %s |%n"
                .formatted(
                        name,
                        values(String.valueOf(property.get("type"))),
                        preset == null ? "none" : "`" + preset + "`",
                        String.valueOf(property.get("description")).replace("|", "\\|"));
    }

    private static String values(String type) {
        if (type.contains("<")) {
            return type.startsWith("java.util.Map") ? "names and their settings" : "a list";
        }
        Class<?> known = ClassUtils.resolveClassName(type, null);
        if (!known.isEnum()) {
            return known == Boolean.class
                    ? "`true`, `false`"
                    : known.getSimpleName().toLowerCase(Locale.ROOT);
        }
        return Arrays.stream(known.getEnumConstants())
                .map(value -> "`" + value.toString().toLowerCase(Locale.ROOT).replace('_', '-') + "`")
                .collect(Collectors.joining(", "));
    }
}
