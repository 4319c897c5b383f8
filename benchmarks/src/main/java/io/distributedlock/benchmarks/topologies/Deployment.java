package io.distributedlock.benchmarks.topologies;

import io.distributedlock.LockClient;
import io.distributedlock.benchmarks.server.Work;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.testkit.server.RedisServer;
import io.distributedlock.testkit.topology.RedisCluster;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;

/**
 * Servers that keep locks, and a client for them.
 *
 * @param masters those that keep locks
 */
record Deployment(String title, List<RedisServer> masters, LockClient client, AutoCloseable servers)
        implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    static Deployment oneRedis() {
        RedisServer redis = RedisServer.start();
        return new Deployment(
                "one Redis", List.of(redis), client(RedisClientSource.of(RedisURI.create(redis.uri()))), redis);
    }

    /** Without its replicas, so that a lock is kept once, as in one Redis. */
    static Deployment cluster() {
        RedisCluster cluster = RedisCluster.start();
        List<RedisServer> masters = cluster.masters();
        cluster.nodes().stream().filter(node -> !masters.contains(node)).forEach(RedisServer::close);
        List<RedisURI> seed =
                masters.stream().map(RedisServer::uri).map(RedisURI::create).toList();
        return new Deployment(
                "Cluster, " + masters.size() + " masters", masters, client(RedisClientSource.ofCluster(seed)), cluster);
    }

    private static LockClient client(RedisClientSource source) {
        return LockClient.builder(new RedisLockStore(new RedisLockConnection(source, TIMEOUT), "lock"))
                .commandTimeout(TIMEOUT)
                .build();
    }

    /** The processor time that the masters have used. */
    Duration cpu() {
        return masters.stream()
                .map(master -> Work.cpu(String.valueOf(master.command("INFO", "cpu"))))
                .reduce(Duration.ZERO, Duration::plus);
    }

    @Override
    public void close() {
        client.close();
        try {
            servers.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
