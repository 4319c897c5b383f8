package io.distributedlock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockMode;
import io.distributedlock.internal.acquire.Handovers;
import io.distributedlock.spi.AcquireResult.Granted;
import io.distributedlock.spi.Claim;
import io.distributedlock.spi.LockListing;
import io.distributedlock.spi.LockStore;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.topology.RedisCluster;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
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
        store = new RedisLockStore(connection(), "lock");
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

    /** A context that is stopped and started again does that with its connections. */
    @Test
    void replicasAcknowledgeGrantsAfterTheConnectionsWereStoppedAndStartedAgain() {
        RedisLockConnection first = connection();
        RedisLockConnection second = connection();
        try (ReplicatedLockStore replicated =
                new ReplicatedLockStore(new RedisLockStore(first, "lock"), second, 1, Duration.ofSeconds(4))) {
            await().ignoreExceptions().until(() -> isGranted(replicated, "before"));
            first.stop();
            second.stop();
            first.start();
            second.start();
            await().ignoreExceptions().until(() -> isGranted(replicated, "afterwards"));
        }
    }

    private static RedisLockConnection connection() {
        return new RedisLockConnection(
                RedisClientSource.ofCluster(
                        List.of(RedisURI.create(cluster.uris().get(0)))),
                Duration.ofSeconds(5));
    }

    private static boolean isGranted(LockStore store, String owner) {
        return store.acquire(new Claim("restarted", owner), Duration.ofMillis(100), Duration.ZERO)
                        .toCompletableFuture()
                        .join()
                instanceof Granted;
    }

    /** The driver asks the node with the fewest clients for its name, and that is a replica. */
    @Test
    void aProblemEndsAlsoIfTheServerThatWasAskedForItsNameIsAReplica() throws IOException {
        List<Socket> clients = new ArrayList<>();
        Claim claim = new Claim("refused", "the-owner");
        try (RedisLockStore refused = new RedisLockStore(connection(), "lock")) {
            for (RedisServer master : cluster.masters()) {
                for (int client = 0; client < 8; client++) {
                    clients.add(new Socket("127.0.0.1", master.port()));
                }
            }
            await().ignoreExceptions()
                    .until(() -> refused.acquire(claim, Duration.ofSeconds(60), Duration.ZERO)
                                    .toCompletableFuture()
                                    .join()
                            instanceof Granted);
            allow("-del");
            await().until(() -> refused.release(claim)
                            .handle((release, failure) -> failure != null)
                            .toCompletableFuture()
                            .join()
                    && refused.problem().isPresent());
            allow("+del");
            await().until(() -> refused.problem().isEmpty());
        } finally {
            allow("+del");
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    private static void allow(String right) {
        cluster.masters().forEach(master -> master.command("ACL", "SETUSER", "default", right));
    }

    @Test
    void aGrantThatReplicasHaveToAcknowledgeIsAtTheReplicaOfItsMaster() {
        RedisLockConnection second = connection();
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
