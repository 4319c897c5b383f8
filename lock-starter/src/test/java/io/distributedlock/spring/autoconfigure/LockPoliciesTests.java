package io.distributedlock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.LockPolicy;
import io.distributedlock.LockRequest;
import io.distributedlock.TtlPolicy;
import io.distributedlock.memory.InMemoryLockStore;
import io.distributedlock.spring.DistributedLock;
import io.distributedlock.spring.LockConfigurationException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ApplicationContext;

/** How the policies of an application reach the locks that it takes. */
class LockPoliciesTests {

    static class Service {
        @DistributedLock(name = "invoices", key = "#id", policy = "${tier}")
        public void pay(String id) {}
    }

    private static Map<String, Duration> ttls(ApplicationContext context) {
        return context.getBean(LockClient.class).monitor().statistics().ttls();
    }

    @Test
    void aMethodNamesItsPolicy() {
        Contexts.withMemory()
                .withBean(Service.class)
                .withPropertyValues("tier=database", "distributed-lock.policies.database.ttl=20s")
                .run(context -> {
                    context.getBean(Service.class).pay("42");
                    assertThat(ttls(context)).containsEntry("invoices", Duration.ofSeconds(20));
                });
    }

    @Test
    void aPolicyCountsForTheLocksThatItNames() {
        Contexts.withMemory()
                .withPropertyValues(
                        "distributed-lock.policies.quick.ttl=20s",
                        "distributed-lock.policies.quick.locks=stock,inv*",
                        "distributed-lock.policies.report.adaptive.max=50s")
                .run(context -> {
                    LockClient client = context.getBean(LockClient.class);
                    client.acquire(LockRequest.of("invoices", "42")).release();
                    client.acquire(LockRequest.of("orders", "42")).release();
                    client.acquire(LockRequest.of("all", "42").withPolicy("report"))
                            .release();
                    assertThat(ttls(context))
                            .containsEntry("invoices", Duration.ofSeconds(20))
                            .containsEntry("orders", Duration.ofSeconds(30))
                            .containsEntry("all", Duration.ofSeconds(50));
                });
    }

    @Test
    void aTtlPolicyBeanIsAPolicyUnderItsName() {
        Contexts.withMemory()
                .withBean(Service.class)
                .withBean("nightly", TtlPolicy.class, () -> (request, running) -> Duration.ofSeconds(7))
                .withPropertyValues("tier=nightly", "distributed-lock.policies.nightly.locks=orders")
                .run(context -> {
                    context.getBean(Service.class).pay("42");
                    context.getBean(LockClient.class)
                            .acquire(LockRequest.of("orders", "42"))
                            .release();
                    assertThat(ttls(context))
                            .containsEntry("invoices", Duration.ofSeconds(7))
                            .containsEntry("orders", Duration.ofSeconds(7));
                });
    }

    @Test
    void anUnknownPolicyStopsTheStartWithThoseThatThereAre() {
        Contexts.withMemory()
                .withBean(Service.class)
                .withBean("nightly", TtlPolicy.class, () -> TtlPolicy.fixed(Duration.ofSeconds(7)))
                .withPropertyValues("tier=databse", "distributed-lock.policies.database.ttl=2s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(LockConfigurationException.class)
                        .rootCause()
                        .hasMessageContaining("Service.pay(String): its lock policy 'databse' does not exist")
                        .hasMessageContaining("The policies are database, nightly. Correct the name"));
    }

    @Test
    void aClientOfTheApplicationKnowsItsPoliciesItself() {
        LockClient own = LockClient.builder(new InMemoryLockStore())
                .policy("own", LockPolicy.of(TtlPolicy.fixed(Duration.ofSeconds(9))))
                .build();
        Contexts.ours()
                .withBean("own", LockClient.class, () -> own)
                .withBean(Service.class)
                .withPropertyValues("tier=own")
                .run(context -> {
                    context.getBean(Service.class).pay("42");
                    assertThat(ttls(context)).containsEntry("invoices", Duration.ofSeconds(9));
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    a.ttl=10ms                     | distributed-lock.policies.a can't work: A lock's ttl must be from 50ms
                    a.adaptive.factor=1            | The factor of an adaptive ttl must be from 1.25 to 100
                    a.ttl=1s a.adaptive.max=2s     | distributed-lock.policies.a has more than one way to decide on its leases
                    a.locks=x b.locks=x            | The policies 'a' and 'b' count for the same lock name
                    """)
    void settingsThatCannotWorkStopTheStart(String settings, String message) {
        Contexts.withMemory()
                .withPropertyValues(Arrays.stream(settings.split(" "))
                        .map("distributed-lock.policies."::concat)
                        .toArray(String[]::new))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(LockConfigurationException.class.getName())
                        .hasStackTraceContaining(message));
    }
}
