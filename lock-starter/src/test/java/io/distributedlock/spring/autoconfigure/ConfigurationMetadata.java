package io.distributedlock.spring.autoconfigure;

import com.jayway.jsonpath.JsonPath;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The description of all properties that editors show, read from the place where it gets into the jar. */
final class ConfigurationMetadata {

    private ConfigurationMetadata() {}

    static Path file() {
        try {
            Path classes = Path.of(DistributedLockProperties.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return classes.resolve("META-INF/spring-configuration-metadata.json");
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** By name: what is said about each property. */
    static Map<String, Map<String, Object>> properties() {
        try {
            List<Map<String, Object>> described =
                    JsonPath.parse(file().toFile()).read("$.properties");
            return described.stream()
                    .collect(Collectors.toMap(property -> String.valueOf(property.get("name")), Function.identity()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those of this library; an endpoint has others, which are alike for all endpoints. */
    static Map<String, Map<String, Object>> ofThisLibrary() {
        return properties().entrySet().stream()
                .filter(property -> property.getKey().startsWith(DistributedLockProperties.PREFIX + "."))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The names of those that a record and the records in it describe. */
    static Set<String> propertiesOf(Class<?> record) {
        return properties().entrySet().stream()
                .filter(property ->
                        String.valueOf(property.getValue().get("sourceType")).startsWith(record.getName()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    static Map<String, String> defaults() {
        return properties().entrySet().stream()
                .filter(property -> property.getValue().containsKey("defaultValue"))
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        property -> String.valueOf(property.getValue().get("defaultValue"))));
    }
}
