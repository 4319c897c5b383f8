package io.distributedlock.contract;

import io.distributedlock.quorum.QuorumLockStore;
import io.distributedlock.quorum.QuorumNode;
import io.distributedlock.redis.RedisClientSource;
import io.distributedlock.redis.RedisLockConnection;
import io.distributedlock.redis.RedisLockStore;
import io.distributedlock.spi.LockStore;
import io.distributedlock.test.store.LockStoreContract;
import io.distributedlock.testkit.server.RedisFleet;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class QuorumOfRedisMastersTest extends LockStoreContract {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static RedisFleet fleet;
    private static QuorumLockStore store;

    @BeforeAll
    static void start() {
        fleet = RedisFleet.start(5);
        store = open();
    }

    private static QuorumLockStore open() {
        List<QuorumNode> nodes =
                fleet.uris().stream().map(uri -> new QuorumNode(uri, node(uri))).toList();
        return new QuorumLockStore(nodes, TIMEOUT);
    }

    private static RedisLockStore node(String uri) {
        return new RedisLockStore(new RedisLockConnection(RedisClientSource.of(RedisURI.create(uri)), TIMEOUT), "lock");
    }

    @AfterAll
    static void stop() {
        store.close();
        fleet.close();
    }

    @Override
    public LockStore store() {
        return store;
    }

    @Override
    protected boolean aRushMayEndWithoutAGrant() {
        return true;
    }

    @Test
    void eachClientSeesTheSameHolderAndWaiters() {
        FleetListing.isTheSameForEachClient(QuorumOfRedisMastersTest::open);
    }
}
