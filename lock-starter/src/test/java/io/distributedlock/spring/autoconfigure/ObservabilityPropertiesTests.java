package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.autoconfigure.properties.DistributedLockProperties;
import io.distributedlock.spring.autoconfigure.properties.LockMetricsProperties;
import io.distributedlock.spring.autoconfigure.properties.LocksEndpointProperties;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The properties of metrics and of the actuator. */
class ObservabilityPropertiesTests {

    private static final Map<String, String> METRICS =
            Map.of("distributed-lock.metrics.max-names", "7", "distributed-lock.metrics.key-in-observations", "true");

    private static final Map<String, String> ENDPOINT =
            Map.of("distributed-lock.endpoint.max-entries", "7", "distributed-lock.endpoint.forced-release", "true");

    @Test
    void everyPropertyArrives() {
        assertThat(metrics(METRICS)).isEqualTo(new LockMetricsProperties(7, true));
        assertThat(endpoint(ENDPOINT)).isEqualTo(new LocksEndpointProperties(7, true));
    }

    @Test
    void everyDocumentedPropertyIsBoundAndTheOtherWayRound() {
        assertThat(ConfigurationMetadata.propertiesOf(LockMetricsProperties.class))
                .containsExactlyInAnyOrderElementsOf(METRICS.keySet());
        assertThat(ConfigurationMetadata.propertiesOf(LocksEndpointProperties.class))
                .containsExactlyInAnyOrderElementsOf(ENDPOINT.keySet());
    }

    @Test
    void whatIsLeftOutHasItsDocumentedDefault() {
        assertThat(metrics(Map.of())).isEqualTo(new LockMetricsProperties(100, false));
        assertThat(endpoint(Map.of())).isEqualTo(new LocksEndpointProperties(100, false));
        assertThat(metrics(ConfigurationMetadata.defaults())).isEqualTo(metrics(Map.of()));
        assertThat(endpoint(ConfigurationMetadata.defaults())).isEqualTo(endpoint(Map.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1"})
    void aBoundThatLetsNothingThroughIsRefused(String bound) {
        assertThatException()
                .isThrownBy(() -> metrics(Map.of("distributed-lock.metrics.max-names", bound)))
                .havingRootCause()
                .isInstanceOf(LockConfigurationException.class)
                .withMessageContaining(
                        "distributed-lock.metrics.max-names is " + bound + ", but it must be at least 1");
        assertThatException()
                .isThrownBy(() -> endpoint(Map.of("distributed-lock.endpoint.max-entries", bound)))
                .havingRootCause()
                .isInstanceOf(LockConfigurationException.class)
                .withMessageContaining(
                        "distributed-lock.endpoint.max-entries is " + bound + ", but it must be at least 1");
    }

    private static LockMetricsProperties metrics(Map<String, String> properties) {
        return bound(properties).metrics();
    }

    private static LocksEndpointProperties endpoint(Map<String, String> properties) {
        return bound(properties).endpoint();
    }

    private static DistributedLockProperties bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate(DistributedLockProperties.PREFIX, DistributedLockProperties.class);
    }
}
