package io.distributedlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockRequest;
import io.distributedlock.LockUnavailableException;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.process.StallMeter;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The server is gone for a while, and many callers with short waits want a few locks meanwhile. */
class OutageTest {

    private static final Duration WAIT = Duration.ofMillis(400);
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofSeconds(1);
    /** More calls at a time make the processors the limit; of each key, {@code verify} has 200 for the same reason. */
    private static final int KEYS_AT_A_TIME = 10;

    private static final LockRequest PROBE = LockRequest.of("probe");

    private final RedisServer server = RedisServer.start();
    private final LockClient client = LockClient.builder(RedisLockStore.of(RedisURI.create(server.uri())))
            .commandTimeout(COMMAND_TIMEOUT)
            .build();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void f16AnOutageEndsEachCallInTimeAndLeavesNoKeyUnusable() {
        survive(2, 10, 200);
    }

    @Test
    @Tag("long")
    void f16FiveOutagesWithThreeThousandCallersOfEachOfFortyKeysEndEachCallInTimeAndLeaveNoKeyUnusable() {
        survive(5, 40, 3_000);
    }

    private void survive(int outages, int keys, int callers) {
        FaultTest.warmUp(client);
        for (int i = 0; i < outages; i++) {
            server.kill();
            if (i % 2 == 0) {
                assertThatThrownBy(() -> client.acquire(PROBE.withWaitTime(Duration.ZERO)))
                        .as("from here on the connection is known to be gone")
                        .isInstanceOf(LockUnavailableException.class);
            }
            for (int first = 0; first < keys; first += KEYS_AT_A_TIME) {
                assertAllEndInTime(first, callers);
            }
            server.restart();
            FaultTest.warmUp(client);
            assertAllCanBeLockedSoon(keys);
        }
        await().until(() -> client.unresolved() == 0);
    }

    private void assertAllEndInTime(int firstKey, int callers) {
        try (StallMeter stalls = new StallMeter()) {
            List<CompletableFuture<Ended>> calls = new ArrayList<>();
            for (int key = firstKey; key < firstKey + KEYS_AT_A_TIME; key++) {
                for (int i = 0; i < callers; i++) {
                    calls.add(lock(request(key).withWaitTime(WAIT)));
                }
            }
            List<Ended> ends = ends(calls);
            assertThat(ends).allMatch(end -> end.failure() instanceof LockUnavailableException);
            assertThat(longest(ends))
                    .isLessThanOrEqualTo(
                            WAIT.plus(COMMAND_TIMEOUT.multipliedBy(2)).plus(stalls.total()));
        }
    }

    private void assertAllCanBeLockedSoon(int keys) {
        try (StallMeter stalls = new StallMeter()) {
            List<CompletableFuture<Ended>> calls = new ArrayList<>();
            for (int key = 0; key < keys; key++) {
                calls.add(lock(request(key)));
            }
            List<Ended> ends = ends(calls);
            assertThat(ends).allMatch(end -> end.failure() == null);
            assertThat(longest(ends)).isLessThanOrEqualTo(SOON.plus(stalls.total()));
        }
    }

    private static LockRequest request(int key) {
        return LockRequest.of("key-" + key);
    }

    private CompletableFuture<Ended> lock(LockRequest request) {
        long begin = System.nanoTime();
        return client.acquireAsync(request).handle((lock, failure) -> {
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            if (lock != null) {
                lock.releaseAsync();
            }
            return new Ended(took, failure);
        });
    }

    private static List<Ended> ends(List<CompletableFuture<Ended>> calls) {
        await().until(() -> calls.stream().allMatch(CompletableFuture::isDone));
        return calls.stream().map(CompletableFuture::join).toList();
    }

    private static Duration longest(List<Ended> ends) {
        return ends.stream().map(Ended::took).max(Duration::compareTo).orElseThrow();
    }

    /** @param failure null if it was granted */
    private record Ended(Duration took, @Nullable Throwable failure) {}
}
