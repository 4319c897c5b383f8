package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.reactive.ReactiveLockTemplate;
import io.distributedlock.spring.DistributedLock;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

class LockReactiveAutoConfigurationTests {

    private final ApplicationContextRunner runner = Contexts.withMemory()
            .withConfiguration(
                    AutoConfigurations.of(LockReactiveAutoConfiguration.class, LockObservationAutoConfiguration.class));

    static class Shelf {
        @DistributedLock(name = "shelf", key = "#id")
        public Mono<String> take(String id) {
            return Mono.just(id);
        }
    }

    @Test
    void whereReactorIsThereIsATemplateForIt() {
        runner.run(context -> assertThat(context).hasSingleBean(ReactiveLockTemplate.class));
        runner.withClassLoader(new FilteredClassLoader("reactor."))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("distributedLockReactiveTemplate"));
        runner.withBean("own", ReactiveLockTemplate.class, () -> new ReactiveLockTemplate((LockClient) null))
                .run(context -> assertThat(context)
                        .hasSingleBean(ReactiveLockTemplate.class)
                        .doesNotHaveBean("distributedLockReactiveTemplate"));
    }

    @Test
    void aSubscriptionToAnAnnotatedMethodIsOneObservation() {
        TestObservationRegistry registry = TestObservationRegistry.create();
        runner.withBean(TestObservationRegistry.class, () -> registry)
                .withBean(Shelf.class)
                .run(context -> {
                    assertThat(context.getBean(Shelf.class).take("tea").block(Duration.ofSeconds(60)))
                            .isEqualTo("tea");
                    TestObservationRegistryAssert.assertThat(registry)
                            .hasNumberOfObservationsWithNameEqualTo("lock.call", 1)
                            .hasObservationWithNameEqualTo("lock.call")
                            .that()
                            .hasLowCardinalityKeyValue("lock.name", "shelf")
                            .hasLowCardinalityKeyValue("lock.outcome", "completed")
                            .hasBeenStopped();
                });
    }
}
