package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.LockClient;
import io.distributedlock.LockMode;
import io.distributedlock.internal.acquire.Handovers;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockListing;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.topology.RedisCluster;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisClusterLockStoreTest {

    private static RedisCluster cluster;
    private static RedisLockStore store;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
        List<RedisURI> seed = List.of(RedisURI.create(cluster.uris().get(0)));
        store = new RedisLockStore(
                new RedisLockConnection(RedisClientSource.ofCluster(seed), Duration.ofSeconds(5)), "lock");
        store.ready().toCompletableFuture().join();
    }

    @AfterAll
    static void stop() {
        store.close();
        cluster.close();
    }

    @Test
    void locksAreSpreadOverTheMastersAndEachHasItsCounterBesideIt() {
        Set<RedisServer> masters = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            Claim claim = new Claim("orders:" + i, "the-owner", LockMode.EXCLUSIVE, true);
            assertThat(store.acquire(claim, Duration.ofSeconds(30), Duration.ZERO)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Granted.class);
            RedisServer master = cluster.masterOf("lock:{orders:" + i + "}");
            assertThat(master.command("GET", "lock:{orders:" + i + "}")).isEqualTo("the-owner");
            masters.add(master);
        }
        assertThat(masters).hasSize(3);
        assertThat(masters)
                .allSatisfy(master -> assertThat(String.valueOf(master.command("KEYS", "lock:fence:*")))
                        .contains("lock:fence:{"));
    }

    @Test
    void theLocksOfAllMastersAreListed() {
        Set<String> held = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            Claim claim = new Claim("listed:" + i, "the-owner");
            store.acquire(claim, Duration.ofSeconds(60), Duration.ZERO)
                    .toCompletableFuture()
                    .join();
            held.add(claim.id());
        }
        Set<String> found = new HashSet<>();
        LockListing.Page page = null;
        do {
            page = store.list(page == null ? null : page.next(), 20)
                    .toCompletableFuture()
                    .join();
            page.locks().forEach(lock -> found.add(lock.id()));
        } while (page.next() != null);
        assertThat(found).containsAll(held);
    }

    @Test
    void transfersBetweenAccountsOfDifferentSlotsNeverWaitForEachOther() throws Exception {
        LockClient client = LockClient.builder(store).build();
        assertThat(new Handovers(client).run(6, 20)).isZero();
        client.drain(Duration.ofSeconds(2));
    }

    @Test
    void tokensGoOnGrowingAfterAllDataIsLost() {
        long before = token("1");
        cluster.masters().forEach(master -> master.command("FLUSHALL"));
        assertThat(token("2")).isGreaterThan(before);
    }

    @Test
    void aGrantThatReplicasHaveToAcknowledgeIsAtTheReplicaOfItsMaster() {
        List<RedisURI> seed = List.of(RedisURI.create(cluster.uris().get(0)));
        RedisLockConnection second = new RedisLockConnection(RedisClientSource.ofCluster(seed), Duration.ofSeconds(5));
        ReplicatedLockStore replicated = new ReplicatedLockStore(store, second, 1, Duration.ofSeconds(4));
        replicated.ready().toCompletableFuture().join();
        for (int i = 0; i < 10; i++) {
            String id = "replicated:" + i;
            assertThat(replicated
                            .acquire(new Claim(id, "the-owner"), Duration.ofSeconds(30), Duration.ZERO)
                            .toCompletableFuture()
                            .join())
                    .isInstanceOf(Granted.class);
            RedisServer master = cluster.masterOf("lock:{" + id + "}");
            assertThat(cluster.replicaOf(master).command("KEYS", "lock:{" + id + "}"))
                    .isEqualTo(List.of("lock:{" + id + "}"));
        }
        second.close();
    }

    private static long token(String owner) {
        return ((Granted) store.acquire(
                                new Claim("a", owner, LockMode.EXCLUSIVE, true), Duration.ofSeconds(30), Duration.ZERO)
                        .toCompletableFuture()
                        .join())
                .token();
    }
}
