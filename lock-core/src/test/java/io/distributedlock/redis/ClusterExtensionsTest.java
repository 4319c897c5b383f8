package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.spi.Claim;
import io.distributedlock.testkit.RedisServer;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In a Cluster a script can only be about keys of one slot. */
class ClusterExtensionsTest {

    private static final Duration TTL = Duration.ofMinutes(1);
    private static final int FENCE_SLOT = SlotHash.getSlot("lock:fence");

    private final RedisServer node = RedisServer.start("--cluster-enabled", "yes");
    private final RedisLockStore store =
            new RedisLockStore(new RedisConnections(new ClusterSource(), Duration.ofSeconds(5)), "lock");

    private final class ClusterSource implements RedisClientSource {

        private final ClientResources own = DefaultClientResources.create();

        @Override
        public AbstractRedisClient open(ConnectionSafety safety) {
            RedisClusterClient client = RedisClusterClient.create(safety.resources(own), RedisURI.create(node.uri()));
            client.setOptions(ClusterClientOptions.builder(safety.options(ClusterClientOptions.create()))
                    .build());
            return client;
        }

        @Override
        public void close(AbstractRedisClient client) {
            client.shutdown(0, 2, TimeUnit.SECONDS);
            own.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    @BeforeEach
    void serveEverySlot() {
        node.command(Stream.concat(
                        Stream.of("CLUSTER", "ADDSLOTS"),
                        IntStream.range(0, 16_384).mapToObj(String::valueOf))
                .toArray(String[]::new));
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> String.valueOf(node.command("CLUSTER", "INFO")).contains("cluster_state:ok"));
        await().atMost(60, TimeUnit.SECONDS).ignoreExceptions().until(() -> {
            store.ready().toCompletableFuture().join();
            return true;
        });
    }

    @AfterEach
    void close() {
        node.resume();
        store.close();
        node.close();
    }

    /** The locks of the counter's slot can be extended; were one of another slot in their script, it would be refused as a whole. */
    @Test
    void locksOfOtherSlotsHaveScriptsOfTheirOwn() {
        List<Claim> sameSlot = IntStream.range(0, 2_000_000)
                .mapToObj(i -> new Claim("lock-" + i, "owner"))
                .filter(claim -> SlotHash.getSlot("lock:{" + claim.id() + "}") == FENCE_SLOT)
                .limit(20)
                .toList();
        sameSlot.forEach(claim -> assertThat(
                        store.acquire(claim, TTL).toCompletableFuture().join())
                .isNotNull());
        List<CompletableFuture<Boolean>> answers = new ArrayList<>();
        List<CompletableFuture<Boolean>> others = new ArrayList<>();
        node.pause();
        for (Claim claim : sameSlot) {
            answers.add(store.extend(claim, 1, TTL).toCompletableFuture());
            others.add(store.extend(new Claim("another " + claim.id(), "owner"), 1, TTL)
                    .toCompletableFuture());
        }
        node.resume();
        assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isTrue());
        assertThat(others).allSatisfy(answer -> assertThat(answer).failsWithin(Duration.ofSeconds(30)));
    }
}
