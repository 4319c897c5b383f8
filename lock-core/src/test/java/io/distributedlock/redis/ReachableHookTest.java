package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReachableHookTest {

    private static final Duration TTL = Duration.ofSeconds(30);

    private final RedisServer server = RedisServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    /**
     * The first script on a new connection tells that there is one, and the caller that hears of it sends commands of its own.
     */
    @Test
    void whatAHookSendsDoesNotMixUpTheRepliesToTheFirstScript() {
        for (int i = 0; i < 10; i++) {
            try (RedisLockStore store = RedisLockStore.of(RedisURI.create(server.uri()))) {
                Claim claim = new Claim("lock-" + i, "owner");
                CompletableFuture<Object> found = new CompletableFuture<>();
                store.onReachable(() -> answer(store.find("another"), found));
                store.ready().toCompletableFuture().join();
                assertThat(store.acquire(claim, TTL, Duration.ZERO)
                                .toCompletableFuture()
                                .join())
                        .isInstanceOf(Granted.class);
                assertThat(found.join().toString()).isEqualTo("Optional.empty");
                assertThat(store.release(claim).toCompletableFuture().join().held())
                        .isTrue();
            }
        }
    }

    private static void answer(CompletionStage<?> question, CompletableFuture<Object> found) {
        question.whenComplete((answer, failure) -> found.complete(failure == null ? answer : failure));
    }
}
