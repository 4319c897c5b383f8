package io.distributedlock.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.memory.InMemoryLockStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LockIncidentsTests {

    private static final LockRequest WANTED = LockRequest.of("orders", "42");

    @Test
    void lossesAndRefusalsAreCountedAndTheLatestAreKept() {
        LockIncidents incidents = new LockIncidents();
        try (LockClient client =
                LockClient.builder(new InMemoryLockStore()).listener(incidents).build()) {
            LockHandle lock = client.acquire(WANTED);
            for (int i = 0; i < 60; i++) {
                assertThat(client.tryAcquire(WANTED)).isEmpty();
            }
            await().until(() -> incidents.report().refused() == 60);
            assertThat(incidents.report().latest()).hasSize(50);
            assertThat(client.monitor().forceRelease("orders:42")).isPresent();
            await().until(() -> incidents.report().lost() == 1);
            assertThat(incidents.report().latest().get(0)).satisfies(incident -> {
                assertThat(incident.id()).isEqualTo("orders:42");
                assertThat(incident.what()).isEqualTo("lost");
                assertThat(incident.reason()).isEqualTo("forced");
                assertThat(incident.ago()).isGreaterThanOrEqualTo(Duration.ZERO);
            });
            assertThat(incidents.report().failed()).isZero();
            assertThat(lock.isHeld()).isFalse();
        }
    }
}
