package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import io.distributedlock.LockTemplate;
import io.lettuce.core.LettuceVersion;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** The driver is the one that Spring Boot 3.2 to 3.4 bring: it repeats commands, so locks in Redis are refused. */
@Tag("old-driver")
@ExtendWith(OutputCaptureExtension.class)
class OldDriverTests {

    @Test
    void theStartIsRefusedWithTheVersionsThatAreThereAndThoseThatWork(CapturedOutput output) {
        assertThatException()
                .isThrownBy(() -> start("distributed-lock.store=redis").close());
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START")
                .contains("Locks need the driver Lettuce 6.6 or newer, but this is Lettuce "
                        + LettuceVersion.getVersion() + " (Spring Boot " + SpringBootVersion.getVersion() + ")")
                .contains(
                        "Locks run on Spring Boot 3.5, 4.0 and 4.1 as they are, and on 3.2 to 3.4 with a newer driver")
                .contains("set lettuce.version to 6.6.0.RELEASE");
        assertThat(LettuceVersion.getVersion()).doesNotStartWith("6.6.");
    }

    @Test
    void locksInMemoryAndApplicationsWithoutLocksStart() {
        try (ConfigurableApplicationContext context = start("distributed-lock.store=memory")) {
            assertThat(context.getBean(LockTemplate.class).tryExecute("42", lock -> "done"))
                    .contains("done");
        }
        try (ConfigurableApplicationContext context = start("distributed-lock.enabled=off")) {
            assertThat(context.getBeanNamesForType(LockTemplate.class)).isEmpty();
        }
    }

    private static ConfigurableApplicationContext start(String property) {
        return new SpringApplicationBuilder(OrdersApplication.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .run("--" + property);
    }
}
