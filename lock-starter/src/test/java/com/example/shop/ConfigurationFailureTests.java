package com.example.shop;

import static com.example.shop.FailedStart.report;

import io.distributedlock.LockTemplate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

/** What a user reads when the configuration, or what it names, stops the start. */
@ExtendWith(OutputCaptureExtension.class)
class ConfigurationFailureTests {

    @Test
    void aStoreThatDoesNotExist(CapturedOutput output) {
        report(output, Object.class, "distributed-lock.store=floppy")
                .contains("Property: distributed-lock.store")
                .contains("Value: \"floppy\"");
    }

    @Test
    void aPropertyThatIsNoDuration(CapturedOutput output) {
        report(output, Object.class, "distributed-lock.ttl=abc")
                .contains("Property: distributed-lock.ttl")
                .contains("Value: \"abc\"");
    }

    @Test
    void anEvenNumberOfQuorumNodes(CapturedOutput output) {
        report(
                        output,
                        Object.class,
                        "distributed-lock.store=quorum",
                        "distributed-lock.quorum.urls=redis://a,redis://b,redis://c,redis://:open-sesame@d")
                .contains("distributed-lock.quorum.urls names 4 Redis masters, but a quorum needs an odd number")
                .contains("Remove one or add one.")
                .doesNotContain("open-sesame");
    }

    static class LockedStart {
        @Bean
        ApplicationRunner start(LockTemplate template) {
            return arguments -> template.run("start", lock -> {});
        }
    }

    @Test
    void noRedisWhenALockIsNeededDuringTheStart(CapturedOutput output) {
        report(
                        output,
                        LockedStart.class,
                        "distributed-lock.store=redis",
                        "spring.data.redis.port=1",
                        "distributed-lock.wait-time=1s")
                .contains("A lock was needed during the start. Lock 'start' could not be requested")
                .contains("Start Redis, or correct its address and credentials in spring.data.redis.*");
    }
}
