package io.distributedlock.faults;

import static org.awaitility.Awaitility.await;

import io.distributedlock.LockClient;
import io.distributedlock.LockHandle;
import io.distributedlock.LockRequest;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.topology.RedisCluster;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * A Cluster that is whole and empty at the start of each test, its clients, and those of them who wait in its queues.
 */
abstract class ClusterTest extends TopologyTest {

    /** Longer than any test. As a node timeout it means that no caller is taken for failed. */
    static final Duration LONG = Duration.ofMinutes(2);

    static final String QUEUE = KEY + ":q";
    static final LockRequest PATIENT = LockRequest.of("42").withWaitTime(Duration.ofMinutes(1));

    static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void makeWhole() {
        cluster.usualNodeTimeout();
        cluster.nodes().forEach(cluster::rejoin);
        cluster.masters().forEach(master -> master.command("FLUSHALL"));
    }

    LockClient client() {
        List<RedisURI> nodes = cluster.uris().stream().map(RedisURI::create).toList();
        return client(RedisClientSource.ofCluster(nodes), TTL);
    }

    /** Once it is the last of so many in the queue. */
    static CompletableFuture<LockHandle> waiting(LockClient client, RedisServer master, long count) {
        CompletableFuture<LockHandle> waiter = client.acquireAsync(PATIENT);
        await().until(() -> master.command("ZCARD", QUEUE).equals(count));
        return waiter;
    }

    static LockHandle awaitLock(CompletableFuture<LockHandle> waiter) {
        LockHandle lock = waiter.orTimeout(60, TimeUnit.SECONDS).join();
        lock.unbind();
        return lock;
    }

    static String firstInQueue(RedisServer master) {
        return firstMember(master)[4];
    }

    static String[] firstMember(RedisServer master) {
        List<?> first = (List<?>) master.command("ZRANGE", QUEUE, "0", "0");
        return String.valueOf(first == null ? "" : first.get(0)).split(" ");
    }
}
