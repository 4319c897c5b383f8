package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.spring.LockConfigurationException;
import io.distributedlock.spring.autoconfigure.properties.QuorumProperties;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class QuorumPropertiesTests {

    private static final Map<String, String> EVERYTHING = Map.of(
            "distributed-lock.quorum.urls", "redis://a,redis://b,redis://c",
            "distributed-lock.quorum.node-timeout", "70ms",
            "distributed-lock.quorum.restart-quarantine", "2h",
            "distributed-lock.quorum.ssl-bundle", "nodes");

    private static QuorumProperties bind(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate(QuorumProperties.PREFIX, QuorumProperties.class);
    }

    @Test
    void everyPropertyArrives() {
        assertThat(bind(EVERYTHING))
                .isEqualTo(new QuorumProperties(
                        List.of("redis://a", "redis://b", "redis://c"),
                        Duration.ofMillis(70),
                        Duration.ofHours(2),
                        "nodes"));
    }

    @Test
    void everyDocumentedPropertyIsBoundAndTheOtherWayRound() {
        assertThat(ConfigurationMetadata.propertiesOf(QuorumProperties.class))
                .containsExactlyInAnyOrderElementsOf(EVERYTHING.keySet());
    }

    @Test
    void whatIsLeftOutHasItsDocumentedDefault() {
        assertThat(bind(Map.of()))
                .isEqualTo(new QuorumProperties(List.of(), Duration.ofMillis(200), Duration.ofSeconds(30), null));
        assertThat(ConfigurationMetadata.defaults())
                .containsEntry("distributed-lock.quorum.node-timeout", "200ms")
                .containsEntry("distributed-lock.quorum.restart-quarantine", "30s");
    }

    @Test
    void passwordsAreNotShown() {
        assertThat(bind(Map.of("distributed-lock.quorum.urls", "redis://:secret@a")))
                .asString()
                .doesNotContain("secret");
    }

    @Test
    void fewerThanThreeAreRefusedWithAdvice() {
        refused("")
                .contains("names 0 Redis masters, but a quorum needs at least 3")
                .contains("spring.data.redis.*");
        refused("redis://a,redis://b").contains("names 2 Redis masters, but a quorum needs at least 3");
    }

    @Test
    void anEvenNumberIsRefusedWithAdvice() {
        refused("redis://a,redis://b,redis://c,redis://d")
                .contains("names 4 Redis masters, but a quorum needs an odd number: 4 survive the loss of 1, as 3 do")
                .contains("Remove one or add one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://a:6379", "redis://A", "redis://a/5", "rediss://user:secret@a"})
    void aServerThatIsThereTwiceIsRefused(String again) {
        refused("redis://a,redis://b," + again)
                .contains("names a:6379 twice, but a server with two votes is no majority")
                .contains("Several databases of one server are one node");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:6379",
                "nonsense",
                "http://:secret@c",
                "redis://",
                "redis://:se cret@c",
                "redis-sentinel://:secret@c#shop"
            })
    void whatIsNoAddressOfAMasterIsRefusedByItsPlaceAndWithoutItsPassword(String url) {
        refused("redis://a,redis://b," + url)
                .contains("distributed-lock.quorum.urls[2]")
                .contains("Write redis://host:6379")
                .doesNotContain("secret")
                .doesNotContain("se cret");
    }

    @ParameterizedTest
    @CsvSource({
        "node-timeout=501ms,is 501ms but it must be from 10ms to half of distributed-lock.redis.command-timeout",
        "node-timeout=9ms,is 9ms but it must be from 10ms",
        "restart-quarantine=29s,is 29s but it must be 0 or at least distributed-lock.ttl",
        "ssl-bundle=nodes,is set but no address in distributed-lock.quorum.urls uses TLS"
    })
    void whatCannotWorkIsRefused(String property, String problem) {
        refused("redis://a,redis://b,redis://c", "distributed-lock.quorum." + property)
                .contains(problem.replace(" but ", ", but "));
    }

    private static AbstractStringAssert<?> refused(String urls, String... more) {
        ApplicationContextRunner contexts = Contexts.ours()
                .withPropertyValues("distributed-lock.store=quorum", "distributed-lock.quorum.urls=" + urls)
                .withPropertyValues(more);
        String[] message = new String[1];
        contexts.run(context -> {
            assertThat(context).hasFailed();
            message[0] = assertThat(context)
                    .getFailure()
                    .rootCause()
                    .isInstanceOf(LockConfigurationException.class)
                    .actual()
                    .getMessage();
        });
        return assertThat(message[0]);
    }
}
