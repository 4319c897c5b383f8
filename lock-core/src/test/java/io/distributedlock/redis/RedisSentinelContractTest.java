package io.distributedlock.redis;

import io.distributedlock.spi.LockStore;
import io.distributedlock.spi.SharedLockContract;
import io.distributedlock.testkit.topology.SentinelSet;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisSentinelContractTest extends SharedLockContract {

    private static SentinelSet set;
    private static RedisLockStore store;

    @BeforeAll
    static void start() {
        set = SentinelSet.start();
        RedisURI uri = RedisURI.create(set.uri());
        store = new RedisLockStore(new RedisLockConnection(RedisClientSource.of(uri), Duration.ofSeconds(5)), "lock");
    }

    @AfterAll
    static void stop() {
        store.close();
        set.close();
    }

    @Override
    protected LockStore store() {
        return store;
    }
}
