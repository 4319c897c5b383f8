package io.distributedlock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.test.store.SharedQueueContract;
import io.distributedlock.testkit.topology.RedisCluster;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisClusterContractTest extends SharedQueueContract {

    private static RedisCluster cluster;
    private static RedisLockStore store;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start();
        store = open();
    }

    private static RedisLockStore open() {
        List<RedisURI> seed = List.of(RedisURI.create(cluster.uris().get(0)));
        return new RedisLockStore(
                new RedisLockConnection(RedisClientSource.ofCluster(seed), Duration.ofSeconds(5)), "lock");
    }

    @AfterAll
    static void stop() {
        store.close();
        cluster.close();
    }

    @Override
    public LockStore store() {
        return store;
    }

    @Override
    protected Duration patienceMargin() {
        return QueueMargin.OF_REDIS;
    }

    @Override
    protected void assertNothingIsLeft() {
        assertThat(cluster.masters())
                .allSatisfy(master -> assertThat(master.command("KEYS", "*:q")).isEqualTo(List.of()));
    }

    @Test
    void eachClientSeesTheSameHolderAndWaiters() {
        FleetListing.isTheSameForEachClient(RedisClusterContractTest::open);
    }

    @Test
    void eachClientSeesAllWhoShareALock() {
        FleetListing.hasEachWhoSharesALock(RedisClusterContractTest::open);
    }
}
