package io.distributedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ten thousand waits for one lock end together, in real time: each caller is notified soon, and no other lock suffers. */
@Timeout(180)
class MassTimeoutTest {

    private static final int WAITERS = 10_000;
    private static final LockRequest WANTED = LockRequest.of("42");
    private static final Duration WAIT = Duration.ofSeconds(2);

    @Test
    void waitsThatEndTogetherDelayNoOtherLock() {
        InMemoryLockStore store = new InMemoryLockStore();
        try (LockClient elsewhere = LockClient.builder(store).build();
                LockClient client = LockClient.builder(store)
                        .ttl(Duration.ofSeconds(3))
                        .maxWaiters(WAITERS, WAITERS)
                        .build()) {
            LockHandle held = elsewhere.acquire(WANTED);
            LockHandle other = client.acquire("other");
            List<CompletableFuture<LockHandle>> calls = new ArrayList<>();
            for (int i = 0; i < WAITERS; i++) {
                calls.add(client.acquireAsync(WANTED.withWaitTime(WAIT)));
            }
            await().pollInterval(Duration.ofMillis(20))
                    .atMost(20, TimeUnit.SECONDS)
                    .until(() -> calls.stream().allMatch(CompletableFuture::isDone));
            assertThat(calls)
                    .allSatisfy(call -> assertThat(call)
                            .isCompletedExceptionally()
                            .failsWithin(Duration.ZERO)
                            .withThrowableThat()
                            .withCauseInstanceOf(LockNotAcquiredException.class));
            assertThat(other.lost()).isNotDone();
            assertThat(other.isHeld()).isTrue();
            other.release();
            held.release();
        }
    }
}
