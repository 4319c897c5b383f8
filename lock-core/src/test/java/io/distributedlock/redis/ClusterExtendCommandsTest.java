package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.spi.Claim;
import io.distributedlock.testkit.server.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In a Cluster a script can only be about keys of one slot. */
class ClusterExtendCommandsTest {

    private static final Duration TTL = Duration.ofMinutes(1);
    private static final int SLOT = SlotHash.getSlot("lock:{any}");

    private final RedisServer node = RedisServer.start("--cluster-enabled", "yes");
    private final RedisLockStore store = new RedisLockStore(
            new RedisLockConnection(
                    RedisClientSource.ofCluster(List.of(RedisURI.create(node.uri()))), Duration.ofSeconds(5)),
            "lock");

    @BeforeEach
    void serveEverySlot() {
        node.command(Stream.concat(
                        Stream.of("CLUSTER", "ADDSLOTS"),
                        IntStream.range(0, 16_384).mapToObj(String::valueOf))
                .toArray(String[]::new));
        await().until(() -> String.valueOf(node.command("CLUSTER", "INFO")).contains("cluster_state:ok"));
        await().ignoreExceptions().until(() -> {
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

    /** Were a lock of another slot in their script, it would be refused as a whole. */
    @Test
    void locksOfOtherSlotsHaveScriptsOfTheirOwn() {
        List<Claim> sameSlot = IntStream.range(0, 2_000_000)
                .mapToObj(i -> new Claim("lock-" + i, "owner"))
                .filter(claim -> SlotHash.getSlot("lock:{" + claim.id() + "}") == SLOT)
                .limit(20)
                .toList();
        sameSlot.forEach(claim -> assertThat(store.acquire(claim, TTL, Duration.ZERO)
                        .toCompletableFuture()
                        .join())
                .isNotNull());
        List<CompletableFuture<Duration>> answers = new ArrayList<>();
        List<CompletableFuture<Duration>> others = new ArrayList<>();
        node.pause();
        for (Claim claim : sameSlot) {
            answers.add(store.extend(claim, 1, TTL).toCompletableFuture());
            others.add(store.extend(new Claim("another " + claim.id(), "owner"), 1, TTL)
                    .toCompletableFuture());
        }
        node.resume();
        assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isPositive());
        assertThat(others).allSatisfy(answer -> assertThat(answer.join()).isZero());
    }
}
