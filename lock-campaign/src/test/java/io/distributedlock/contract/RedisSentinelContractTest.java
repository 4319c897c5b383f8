package io.distributedlock.contract;

import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.test.store.LockStoreContract;
import io.distributedlock.test.store.SharedLockContract;
import io.distributedlock.testkit.topology.SentinelSet;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisSentinelContractTest extends LockStoreContract implements SharedLockContract {

    private static SentinelSet set;
    private static RedisLockStore store;

    @BeforeAll
    static void start() {
        set = SentinelSet.startWithoutFailover();
        store = open();
    }

    private static RedisLockStore open() {
        RedisURI uri = RedisURI.create(set.uri());
        return new RedisLockStore(new RedisLockConnection(RedisClientSource.of(uri), Duration.ofSeconds(5)), "lock");
    }

    @AfterAll
    static void stop() {
        store.close();
        set.close();
    }

    @Override
    public LockStore store() {
        return store;
    }

    @Test
    void eachClientSeesTheSameHolderAndWaiters() {
        FleetListing.isTheSameForEachClient(RedisSentinelContractTest::open);
    }

    @Test
    void eachClientSeesAllWhoShareALock() {
        FleetListing.hasEachWhoSharesALock(RedisSentinelContractTest::open);
    }
}
