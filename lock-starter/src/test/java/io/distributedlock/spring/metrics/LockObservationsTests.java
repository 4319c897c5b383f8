package io.distributedlock.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockObserver;
import io.distributedlock.LockRequest;
import io.distributedlock.LockTemplate;
import io.distributedlock.ReleasePolicy;
import io.distributedlock.memory.InMemoryLockStore;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LockObservationsTests {

    private static final LockRequest WANTED =
            LockRequest.of("orders", "user-42").withWaitTime(Duration.ZERO);

    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final LockClient client =
            LockClient.builder(new InMemoryLockStore()).build();

    @AfterEach
    void close() {
        client.close();
    }

    private LockTemplate template(boolean withKey) {
        return new LockTemplate(client, ReleasePolicy.AT_RETURN, new LockObservations(registry, withKey, 100));
    }

    private TestObservationRegistryAssert observed() {
        return TestObservationRegistryAssert.assertThat(registry);
    }

    @Test
    void aCallIsOneObservationWithoutItsKey() {
        template(false).run(WANTED, lock -> {});
        observed()
                .hasNumberOfObservationsEqualTo(1)
                .hasObservationWithNameEqualTo("lock.call")
                .that()
                .hasBeenStarted()
                .hasBeenStopped()
                .doesNotHaveError()
                .hasContextualNameEqualTo("lock orders")
                .hasLowCardinalityKeyValue("lock.name", "orders")
                .hasLowCardinalityKeyValue("lock.outcome", "completed")
                .doesNotHaveHighCardinalityKeyValueWithKey("lock.key");
    }

    @Test
    void theKeyIsThereIfItIsAskedFor() {
        template(true).run(WANTED, lock -> {});
        observed().hasObservationWithNameEqualTo("lock.call").that().hasHighCardinalityKeyValue("lock.key", "user-42");
    }

    @Test
    void theWorkRunsInsideTheObservation() {
        template(false)
                .run(
                        WANTED,
                        lock -> assertThat(registry.getCurrentObservation())
                                .extracting(
                                        observation -> observation.getContext().getName())
                                .isEqualTo("lock.call"));
        assertThat(registry.getCurrentObservation()).isNull();
    }

    @Test
    void itIsAChildOfWhatTheThreadDoes() {
        Observation.createNotStarted("request", registry)
                .observe(() -> template(false).run(WANTED, lock -> {}));
        observed()
                .hasObservationWithNameEqualTo("lock.call")
                .that()
                .hasParentObservationContextMatching(parent -> parent.getName().equals("request"));
    }

    @Test
    void aRefusalIsAnOutcomeAndNoError() {
        try (LockHandle other = client.acquire(WANTED)) {
            assertThat(template(false).tryExecute(WANTED, lock -> other)).isEmpty();
        }
        observed()
                .hasObservationWithNameEqualTo("lock.call")
                .that()
                .hasLowCardinalityKeyValue("lock.outcome", "refused")
                .doesNotHaveError();
    }

    @Test
    void whatTheWorkThrowsIsAnError() {
        IllegalStateException own = new IllegalStateException("own");
        assertThatIllegalStateException()
                .isThrownBy(() -> template(false).run(WANTED, lock -> {
                    throw own;
                }));
        observed()
                .hasObservationWithNameEqualTo("lock.call")
                .that()
                .hasLowCardinalityKeyValue("lock.outcome", "failed")
                .hasError(own);
    }

    @Test
    void anAsynchronousCallIsObservedUntilItsResult() {
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = template(false).executeAsync(WANTED, lock -> work);
        observed().hasObservationWithNameEqualTo("lock.call").that().isNotStopped();
        work.complete("done");
        assertThat(result.join()).isEqualTo("done");
        // Who waits for the result and who observes it are told by different threads.
        await().untilAsserted(() -> observed()
                .hasObservationWithNameEqualTo("lock.call")
                .that()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("lock.outcome", "completed"));
    }

    @Test
    void whereNoCallerObservesNothingIsMade() {
        LockObservations observations = new LockObservations(ObservationRegistry.NOOP, false, 100);
        assertThat(observations.begin(WANTED)).isSameAs(LockObserver.Observed.NOTHING);
    }
}
