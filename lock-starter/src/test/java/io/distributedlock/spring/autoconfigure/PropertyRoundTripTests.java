package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.util.ReflectionUtils;

/** Every property that is described to editors goes from its text to the place where the library reads it. */
class PropertyRoundTripTests {

    static Stream<String> properties() {
        return ConfigurationMetadata.ofThisLibrary().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("properties")
    void aValueArrivesWhereItIsRead(String property) throws Exception {
        Map<String, String> sample = samplesOf(property);
        assertThat(sample).as("samples of " + property).isNotEmpty();
        Class<?> record = Class.forName(String.valueOf(
                ConfigurationMetadata.ofThisLibrary().get(property).get("sourceType")));
        Object arrived = read(record, property, sample);
        assertThat(arrived).isNotEqualTo(read(record, property, Map.of()));
        if (sample.containsKey(property)) {
            assertThat(arrived)
                    .isEqualTo(ApplicationConversionService.getSharedInstance()
                            .convert(sample.get(property), arrived.getClass()));
        }
    }

    @Test
    void everySampleIsOfAProperty() {
        assertThat(PropertySamples.ALL.keySet())
                .allMatch(sample -> properties().anyMatch(property -> isOf(property, sample)), "a property");
    }

    private static Map<String, String> samplesOf(String property) {
        Map<String, String> samples = new TreeMap<>(PropertySamples.ALL);
        samples.keySet().removeIf(sample -> !isOf(property, sample));
        return samples;
    }

    private static boolean isOf(String property, String sample) {
        return sample.equals(property) || sample.startsWith(property + ".") || sample.startsWith(property + "[");
    }

    /** Binds the record that the property is a component of, and gives that component. */
    private static Object read(Class<?> record, String property, Map<String, String> values) throws Exception {
        int dot = property.lastIndexOf('.');
        String component = property.substring(dot + 1)
                .chars()
                .collect(
                        StringBuilder::new,
                        (name, character) -> name.append(
                                !name.isEmpty() && name.charAt(name.length() - 1) == '-'
                                        ? Character.toUpperCase((char) character)
                                        : (char) character),
                        StringBuilder::append)
                .toString()
                .replace("-", "");
        Object bound = new Binder(new MapConfigurationPropertySource(values))
                .bindOrCreate(property.substring(0, dot), Bindable.of(record));
        var accessor = record.getDeclaredMethod(component);
        ReflectionUtils.makeAccessible(accessor);
        return accessor.invoke(bound);
    }
}
