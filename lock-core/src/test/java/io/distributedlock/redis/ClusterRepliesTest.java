package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.StoreException;
import io.distributedlock.spi.StoreException.Effect;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A node of a Cluster, asked as if it were a Redis of its own: every way in which it sends a client elsewhere is a
 * refusal.
 */
class ClusterRepliesTest {

    private static final Claim CLAIM = new Claim("42", "the-owner");
    private static final Duration TTL = Duration.ofSeconds(30);

    @Test
    void aNodeOfAClusterRefusesWhatItDoesNotServe() {
        try (RedisServer node = RedisServer.start("--cluster-enabled", "yes");
                RedisServer other = RedisServer.start("--cluster-enabled", "yes");
                LockStore store = RedisLockStore.of(RedisURI.create(node.uri()))) {
            await().until(() -> failure(store.release(CLAIM)).getMessage().contains("CLUSTERDOWN"));
            assertRefused("CLUSTERDOWN", store.acquire(CLAIM, TTL, Duration.ZERO));

            other.command(Stream.concat(
                            Stream.of("CLUSTER", "ADDSLOTS"),
                            IntStream.range(0, 16_384).mapToObj(String::valueOf))
                    .toArray(String[]::new));
            node.command("CLUSTER", "MEET", "127.0.0.1", String.valueOf(other.port()));
            await().until(() -> String.valueOf(node.command("CLUSTER", "INFO")).contains("cluster_state:ok"));
            // the first answer says that the server is sharded; the store's probe may have met it before this call
            assertRefused("CROSSSLOT|MOVED", store.release(CLAIM));
            assertRefused("MOVED", store.release(CLAIM));
            assertRefused("MOVED", store.acquire(CLAIM, TTL, Duration.ZERO));
        }
    }

    private static void assertRefused(String words, CompletionStage<?> call) {
        StoreException failure = failure(call);
        assertThat(failure.effect()).isEqualTo(Effect.REFUSED);
        assertThat(failure).hasMessageMatching("(?s).*(" + words + ").*");
    }

    private static StoreException failure(CompletionStage<?> call) {
        Throwable failure = call.handle((answer, thrown) -> thrown)
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
        assertThat(failure).as("a failure instead of an answer").isNotNull();
        return (StoreException) (failure instanceof CompletionException ? failure.getCause() : failure);
    }
}
