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

    /** For each property a value that is not its default; for maps and lists, properties below it. */
    private static final Map<String, String> SAMPLES = Map.ofEntries(
            Map.entry("distributed-lock.enabled", "false"),
            Map.entry("distributed-lock.store", "memory"),
            Map.entry("distributed-lock.key-prefix", "shop:lock"),
            Map.entry("distributed-lock.wait-time", "7s"),
            Map.entry("distributed-lock.ttl", "2m"),
            Map.entry("distributed-lock.max-hold", "1h"),
            Map.entry("distributed-lock.long-hold-warning", "10m"),
            Map.entry("distributed-lock.release", "pipelined"),
            Map.entry("distributed-lock.waiting.barging", "false"),
            Map.entry("distributed-lock.waiting.max-per-lock", "7"),
            Map.entry("distributed-lock.waiting.max-in-all", "60000"),
            Map.entry("distributed-lock.policies.short.ttl", "500ms"),
            Map.entry("distributed-lock.redis.command-timeout", "250ms"),
            Map.entry("distributed-lock.redis.notifications", "false"),
            Map.entry("distributed-lock.redis.self-test", "false"),
            Map.entry("distributed-lock.redis.replicas", "1"),
            Map.entry("distributed-lock.redis.replica-timeout", "50ms"),
            Map.entry("distributed-lock.quorum.urls[0]", "redis://one:6379"),
            Map.entry("distributed-lock.quorum.node-timeout", "50ms"),
            Map.entry("distributed-lock.quorum.restart-quarantine", "0s"),
            Map.entry("distributed-lock.quorum.ssl-bundle", "nodes"),
            Map.entry("distributed-lock.aspect.enabled", "false"),
            Map.entry("distributed-lock.aspect.order", "17"),
            Map.entry("distributed-lock.aspect.interrupt-on-loss", "true"),
            Map.entry("distributed-lock.transaction.commit-guard", "false"),
            Map.entry("distributed-lock.transaction.commit-margin", "20ms"),
            Map.entry("distributed-lock.transaction.inside", "fail"),
            Map.entry("distributed-lock.shutdown.drain-time", "1s"),
            Map.entry("distributed-lock.metrics.max-names", "7"),
            Map.entry("distributed-lock.metrics.key-in-observations", "true"),
            Map.entry("distributed-lock.endpoint.max-entries", "7"),
            Map.entry("distributed-lock.endpoint.forced-release", "true"));

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
        assertThat(SAMPLES.keySet())
                .allMatch(sample -> properties().anyMatch(property -> isOf(property, sample)), "a property");
    }

    private static Map<String, String> samplesOf(String property) {
        Map<String, String> samples = new TreeMap<>(SAMPLES);
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
