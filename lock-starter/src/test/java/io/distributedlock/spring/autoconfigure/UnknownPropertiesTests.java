package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesTests {

    private static void start(String... properties) {
        Contexts.ours()
                .withPropertyValues("distributed-lock.store=memory")
                .withPropertyValues(properties)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aPropertyThatNothingReadsIsAWarningWithTheNearestOne(CapturedOutput log) {
        start("distributed-lock.wait-timeout=3s", "distributed-lock.redis.command-timout=1s");
        assertThat(log)
                .contains("The property distributed-lock.wait-timeout has no effect")
                .contains("Did you mean distributed-lock.wait-time?")
                .contains("Did you mean distributed-lock.redis.command-timeout?");
    }

    @Test
    void oneThatResemblesNoneIsAWarningToo(CapturedOutput log) {
        start("distributed-lock.redisson.address=redis://one");
        assertThat(log).contains("The property distributed-lock.redisson.address has no effect");
    }

    @Test
    void everySettingIsKnown(CapturedOutput log) {
        start(PropertySamples.ALL.entrySet().stream()
                .filter(sample -> !List.of("distributed-lock.enabled", "distributed-lock.store")
                        .contains(sample.getKey()))
                .map(sample -> sample.getKey() + "=" + sample.getValue())
                .toArray(String[]::new));
        assertThat(log).doesNotContain("has no effect");
    }
}
