package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import io.distributedlock.LockTemplate;
import io.distributedlock.spring.DistributedLock;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** What a user of the older line reads when a mistake stops the start, and what does without Redis. */
@ExtendWith(OutputCaptureExtension.class)
class StartUpTests {

    static class UnknownParameter {
        @DistributedLock(key = "'order:' + #userld")
        public void pay(String userId) {}
    }

    @Test
    void aKeyThatNamesNothingIsExplained(CapturedOutput output) {
        assertThatException()
                .isThrownBy(() -> start(UnknownParameter.class, "distributed-lock.store=memory")
                        .close());
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START")
                .contains("UnknownParameter.pay(String): the key \"'order:' + #userld\" uses #userld")
                .contains("Use one of its parameters (#userId), or #root.");
    }

    @Test
    void aPropertyThatCanNotWorkIsExplained(CapturedOutput output) {
        assertThatException()
                .isThrownBy(
                        () -> start(Object.class, "distributed-lock.ttl=1ms").close());
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START")
                .contains("distributed-lock.ttl is 1ms, but a lease must be from 50ms to 365d");
    }

    @Test
    void locksInMemoryNeedNoRedis() {
        try (ConfigurableApplicationContext context = start(Object.class, "distributed-lock.store=memory")) {
            assertThat(context.getBean(LockTemplate.class).tryExecute("42", lock -> "done"))
                    .contains("done");
        }
    }

    private static ConfigurableApplicationContext start(Class<?> more, String... properties) {
        return new SpringApplicationBuilder(OrdersApplication.class, more)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .run(Arrays.stream(properties).map(property -> "--" + property).toArray(String[]::new));
    }
}
