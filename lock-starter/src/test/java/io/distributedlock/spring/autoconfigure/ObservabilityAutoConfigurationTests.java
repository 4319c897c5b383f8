package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockObserver;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spring.actuate.LockConsoleEndpoint;
import io.distributedlock.spring.actuate.LockHealthIndicator;
import io.distributedlock.spring.actuate.LocksEndpoint;
import io.distributedlock.spring.actuate.ReleasingLocksEndpoint;
import io.distributedlock.spring.metrics.LockMetrics;
import io.distributedlock.spring.metrics.LockObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class ObservabilityAutoConfigurationTests {

    /** All that can be seen of locks, beside all of Boot's that it builds on. */
    static ApplicationContextRunner contexts() {
        return Contexts.withMemory()
                .withConfiguration(AutoConfigurations.of(
                        LockMetricsAutoConfiguration.class,
                        LockObservationAutoConfiguration.class,
                        LocksEndpointAutoConfiguration.class,
                        LockConsoleAutoConfiguration.class,
                        LockHealthAutoConfiguration.class,
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class,
                        ObservationAutoConfiguration.class,
                        EndpointAutoConfiguration.class,
                        HealthContributorAutoConfiguration.class,
                        HealthContributorRegistryAutoConfiguration.class));
    }

    @Test
    void metersAreBoundToTheApplicationsRegistry() {
        contexts().run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(LockMetrics.class).hasSingleBean(LockObservations.class);
            context.getBean(LockTemplate.class).run("42", lock -> {});
            MeterRegistry registry = context.getBean(MeterRegistry.class);
            await().until(() -> registry.find("lock.hold").timer() != null);
            assertThat(registry.get("lock.acquire").timer().count()).isOne();
            assertThat(registry.get("lock.reaper.size").gauge().value()).isZero();
            assertThat(registry.get("lock.call").timer().getId().getTag("lock.outcome"))
                    .isEqualTo("completed");
        });
    }

    @Test
    void withoutARegistryThereAreNoMeters() {
        Contexts.withMemory()
                .withConfiguration(AutoConfigurations.of(
                        LockMetricsAutoConfiguration.class, LockObservationAutoConfiguration.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LockTemplate.class)
                        .doesNotHaveBean(LockMetrics.class)
                        .doesNotHaveBean(LockObservations.class));
    }

    @Test
    void metersAndObservationsOfTheApplicationReplaceOurs() {
        LockMetrics metrics = new LockMetrics(() -> null, 1);
        LockObservations observations = new LockObservations(TestObservationRegistry.create(), false, 1);
        contexts()
                .withBean("ownMetrics", LockMetrics.class, () -> metrics)
                .withBean("ownObservations", LockObservations.class, () -> observations)
                .withBean(SimpleMeterRegistry.class)
                .run(context -> {
                    assertThat(context.getBean(LockMetrics.class)).isSameAs(metrics);
                    assertThat(context.getBean(LockObservations.class)).isSameAs(observations);
                });
    }

    @Test
    void anObserverOfTheApplicationOfAnyKindReplacesOurs() {
        AtomicInteger observed = new AtomicInteger();
        LockObserver own = request -> {
            observed.incrementAndGet();
            return LockObserver.Observed.NOTHING;
        };
        contexts().withBean("own", LockObserver.class, () -> own).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(LockObservations.class);
            context.getBean(LockTemplate.class).run("42", lock -> {});
            assertThat(observed).hasValue(1);
        });
    }

    @Test
    void theEndpointIsThereOnlyWhereItIsExposed() {
        contexts().run(context -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
        contexts()
                .withPropertyValues("management.endpoints.web.exposure.include=health,info")
                .run(context -> assertThat(context).doesNotHaveBean(LocksEndpoint.class));
        contexts()
                .withPropertyValues("management.endpoints.web.exposure.include=locks")
                .run(context -> assertThat(context)
                        .hasSingleBean(LocksEndpoint.class)
                        .doesNotHaveBean(ReleasingLocksEndpoint.class));
    }

    @Test
    void theConsoleIsThereOnlyWhereItIsExposedBesideTheEndpoint() {
        contexts()
                .withPropertyValues("management.endpoints.web.exposure.include=locks")
                .run(context -> assertThat(context).doesNotHaveBean(LockConsoleEndpoint.class));
        contexts()
                .withPropertyValues("management.endpoints.web.exposure.include=lockconsole")
                .run(context -> assertThat(context).doesNotHaveBean(LockConsoleEndpoint.class));
        contexts()
                .withPropertyValues("management.endpoints.web.exposure.include=locks,lockconsole")
                .run(context -> assertThat(context).hasSingleBean(LockConsoleEndpoint.class));
    }

    @Test
    void lossesAndRefusalsAreShownByTheEndpoint() {
        contexts()
                .withPropertyValues("management.endpoints.web.exposure.include=locks")
                .run(context -> {
                    LockClient client = context.getBean(LockClient.class);
                    LockRequest wanted = LockRequest.of("orders", "42");
                    LockHandle lock = client.acquire(wanted);
                    assertThat(client.tryAcquire(wanted)).isEmpty();
                    lock.release();
                    LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
                    await().until(() -> endpoint.locks().incidents().refused() == 1);
                });
    }

    @Test
    void forcedReleaseHasToBeAllowed() {
        contexts()
                .withPropertyValues(
                        "management.endpoints.web.exposure.include=locks",
                        "distributed-lock.endpoint.forced-release=true")
                .run(context -> assertThat(context).hasSingleBean(ReleasingLocksEndpoint.class));
    }

    @Test
    void anEndpointOfTheApplicationReplacesOurs() {
        LockClient client = LockClient.builder(new InMemoryLockStore()).build();
        LocksEndpoint own = new LocksEndpoint(client.monitor(), 1);
        contexts()
                .withPropertyValues("management.endpoints.web.exposure.include=locks")
                .withBean("own", LocksEndpoint.class, () -> own)
                .run(context -> assertThat(context.getBean(LocksEndpoint.class)).isSameAs(own));
        client.close();
    }

    @Test
    void healthIsUpWithDetails() {
        contexts().run(context -> {
            assertThat(context).hasSingleBean(LockHealthIndicator.class);
            HealthContributorRegistry registry = context.getBean(HealthContributorRegistry.class);
            Health health = ((HealthIndicator) registry.getContributor("distributedLock")).health();
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails())
                    .containsKeys("roundTrip", "renewalLag")
                    .containsEntry("held", 0)
                    .containsEntry("waiting", 0)
                    .containsEntry("unresolved", 0);
        });
    }

    @Test
    void healthCanBeSwitchedOffAndReplaced() {
        contexts()
                .withPropertyValues("management.health.distributed-lock.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(LockHealthIndicator.class));
        contexts()
                .withBean(
                        "distributedLockHealthIndicator",
                        HealthIndicator.class,
                        () -> () -> Health.up().build())
                .run(context -> assertThat(context).doesNotHaveBean(LockHealthIndicator.class));
    }

    @Test
    void switchedOffThereIsNothing() {
        contexts()
                .withPropertyValues("distributed-lock.enabled=false", "management.endpoints.web.exposure.include=locks")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(LockMetrics.class)
                        .doesNotHaveBean(LockObservations.class)
                        .doesNotHaveBean(LocksEndpoint.class)
                        .doesNotHaveBean(LockHealthIndicator.class));
    }
}
